import { FlaskConical } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Card } from '../../../ui/pages/page.tsx';

/** In place of plans and prices on a server without a payment provider. */
export function NothingSold() {
  return (
    <Card
      title="Nothing is sold on this server"
      description="It has no payment provider, so there are no plans to choose and no credits to buy. Models that are free here answer without credits."
    >
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium">If you run this server, you can</p>
        <ul className="flex list-disc flex-col gap-1 pl-5 wrap-anywhere">
          <li>
            make a model free, by leaving its price out of <code>MODELS_FILE</code>: see{' '}
            <code>docs/operations/models.md</code>
          </li>
          <li>
            sell plans and credits, with <code>STRIPE_SECRET_KEY</code>: see{' '}
            <code>docs/billing.md</code>
          </li>
        </ul>
      </div>
    </Card>
  );
}

/** The simulated pages are for whoever sets up payments, so they are folded. */
export function SandboxPages(props: { isOpenAtFirst: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(props.isOpenAtFirst);
  return (
    <details
      open={isOpen}
      className="rounded-xl border border-line bg-surface"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-10 px-4 py-2.5 text-sm font-medium sm:px-5">
        Try the payment pages (sandbox)
      </summary>
      {isOpen && (
        <div className="flex flex-col gap-6 p-4 pt-0 sm:p-5 sm:pt-0">
          <p className="flex items-start gap-2 rounded-md border border-warn bg-warn-soft px-3 py-2 text-sm">
            <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
            <span>
              <strong>Sandbox.</strong> Payments on this server are simulated. The pages work, but
              no money moves.
            </span>
          </p>
          {props.children}
        </div>
      )}
    </details>
  );
}
