import { useNavigate, useSearch } from '@tanstack/react-router';
import { closablePart } from '../../../ui/layers/part-boundary.tsx';

const FileViewer = closablePart(() => import('./file-viewer.tsx'), 'FileViewer');

/** Shows the file that the address names, on any page. */
export function FileLayer() {
  const { file, page } = useSearch({ from: '/workspace' });
  const navigate = useNavigate();
  if (file === undefined) return null;
  const show = (next: string | undefined) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, file: next, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  return <FileViewer fileId={file} page={page} onOther={show} onClose={() => show(undefined)} />;
}
