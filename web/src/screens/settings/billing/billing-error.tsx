import { AtriumError } from '@atrium/sdk';
import { ErrorNote } from '../../../ui/error-note.tsx';

/** Why a payment page did not open. What the server cannot sell is no fault to try again on. */
export function BillingError({ error, onPortal }: { error: unknown; onPortal?: () => void }) {
  const reason = error instanceof AtriumError ? error.reason : undefined;
  if (reason === 'billing_not_configured') {
    return (
      <div
        role="alert"
        className="rounded-md border border-warn bg-warn-soft px-3 py-2 text-sm wrap-anywhere"
      >
        <p className="font-medium">This cannot be bought here yet.</p>
        <p>
          {error instanceof AtriumError && error.message} Whoever runs this server can set up
          payments: the steps are in <code>docs/billing.md</code>. The credits you have stay usable.
        </p>
      </div>
    );
  }
  if (reason === 'subscription_active') {
    return (
      <div
        role="alert"
        className="flex flex-col items-start gap-1 rounded-md border border-warn bg-warn-soft px-3 py-2 text-sm"
      >
        <p>Your org has a paid plan already. Change or cancel it in the portal.</p>
        {onPortal && (
          <button
            type="button"
            className="min-h-6 font-medium text-accent underline"
            onClick={onPortal}
          >
            Change it in the portal
          </button>
        )}
      </div>
    );
  }
  return <ErrorNote error={error} />;
}
