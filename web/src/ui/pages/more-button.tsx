import { Button, type ButtonProps } from '../controls/button.tsx';

interface MoreButtonProps extends ButtonProps {
  of: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** Below a list: loads its next page, if there is one. */
export function MoreButton({ of: pages, ...rest }: MoreButtonProps) {
  if (!pages.hasNextPage) return null;
  return (
    <Button
      className="self-center"
      isBusy={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
      {...rest}
    />
  );
}
