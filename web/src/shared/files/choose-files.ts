interface Choice {
  /** Opens the camera of a phone. */
  isFromCamera?: boolean;
  isSingle?: boolean;
}

/** Asks for files, as a file field does. Nothing if the person changes their mind. */
export function chooseFiles({ isFromCamera = false, isSingle = false }: Choice = {}): Promise<
  File[]
> {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = !isSingle && !isFromCamera;
  if (isFromCamera) {
    field.accept = 'image/*';
    field.setAttribute('capture', 'environment');
  }
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]));
    field.addEventListener('cancel', () => resolve([]));
    field.click();
  });
}
