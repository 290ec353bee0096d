import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';

/** Whether the server reads pages that messages link to. */
export function LinkPreviewsCard() {
  const { org, isAdmin } = useWorkspace();
  const { data, error, refetch } = useFetched(keys.orgDetails, ({ client }, options) =>
    client.org.get(org.id, options),
  );
  const change = useChange({
    send: ({ client }, linkPreviews: boolean) => client.org.update(org.id, { linkPreviews }),
    refetch: keys.orgDetails,
    onDone: ({ linkPreviews }) =>
      toast(linkPreviews ? 'Link previews turned on' : 'Link previews turned off'),
    onError: toastError,
  });
  return (
    <Card
      title="Link previews"
      description="The server reads public pages that people link to, and shows their titles under the message. Whoever runs such a page can see that the server has read it."
    >
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton className="h-6 w-64" />}
      {data && !data.linkPreviewsAvailable && (
        <p className="text-sm text-muted">
          Link previews are turned off for this server. Only the person who runs it can change that.
        </p>
      )}
      {data?.linkPreviewsAvailable && (
        <CheckboxField
          label="Show previews of links in new messages"
          checked={change.isPending ? change.variables : data.linkPreviews}
          disabled={!isAdmin || change.isPending}
          onChange={({ target }) => change.mutate(target.checked)}
        />
      )}
    </Card>
  );
}
