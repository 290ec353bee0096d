import { ConfigError } from '../../config/config.ts';
import { errorCode } from '../../core/error-code.ts';

/** The operator has to change a port that is not available, so the error names its variable. */
export async function namingVariable<T>(variable: string, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE') {
      throw new ConfigError(
        variable,
        'the port is in use; stop the other program, or choose another port',
      );
    }
    if (code === 'EACCES') throw new ConfigError(variable, 'this user may not listen on that port');
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new ConfigError('HOST', 'no address was found for this name');
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError('HOST', 'this machine does not have that address');
    throw error;
  }
}
