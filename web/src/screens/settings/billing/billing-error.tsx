import { AtriumError } from '@atrium/sdk';
import { ErrorNote } from '../../../ui/states/error-note.tsx';

/** Why a payment page did not open. Offers no retry if the server can't sell this at all. */
export function BillingError({ error, onPortal }: { error: unknown; onPortal?: () => void }) {
  const reason = error instanceof AtriumError ? error.reason : undefined;
  if (reason === 'billing_not_configured') {
    return (
      <div
        role="alert"
        className="rounded-md border border-warn bg-warn-soft px-3 py-2 text-sm wrap-anywhere"
      >
        <p className="font-medium">You can’t buy this here yet.</p>
        <p>
          {error instanceof AtriumError && error.message} Whoever runs this server can set up
          payments; see <code>docs/billing.md</code>. You can still use the credits you have.
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
        <p>Your organisation already has a paid plan. Change or cancel it in the billing portal.</p>
        {onPortal && (
          <button
            type="button"
            className="min-h-6 font-medium text-accent underline"
            onClick={onPortal}
          >
            Open billing portal
          </button>
        )}
      </div>
    );
  }
  return <ErrorNote error={error} />;
}
