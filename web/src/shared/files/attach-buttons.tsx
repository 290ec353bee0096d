import { Camera, Paperclip } from 'lucide-react';
import { IconButton } from '../../ui/controls/button.tsx';
import { isTouch } from '../../ui/keys/is-touch.ts';
import { chooseFiles } from './choose-files.ts';

/** Files of this device, and on a phone also its camera. */
export function AttachButtons({ onFiles }: { onFiles: (files: File[]) => void }) {
  const choose = (isFromCamera: boolean) =>
    void chooseFiles({ isFromCamera }).then((files) => files.length > 0 && onFiles(files));
  return (
    <>
      <IconButton label="Attach files" icon={Paperclip} onClick={() => choose(false)} />
      {isTouch() && <IconButton label="Take a photo" icon={Camera} onClick={() => choose(true)} />}
    </>
  );
}
