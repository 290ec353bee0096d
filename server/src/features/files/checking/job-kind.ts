export const CHECK_FILE = 'check-file';
