import type { ComponentProps } from 'react';
import { Button, type ButtonLook } from '../controls/button.tsx';
import { Dialog, DialogActions, type DialogProps } from '../layers/dialog.tsx';
import { ErrorNote } from '../states/error-note.tsx';

export { fieldErrors } from './field-errors.ts';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void;
}

/** A form that the page sends, not the browser. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    />
  );
}

/** What a form does when it is sent, such as a mutation. */
export interface Saving {
  isPending: boolean;
  error: unknown;
}

interface SaveErrorProps {
  saving: Saving;
  /** What is said next to the fields. If anything is, it isn't said again. */
  problems?: object | undefined;
}

export function SaveError({ saving: { error }, problems = {} }: SaveErrorProps) {
  return error && Object.keys(problems).length === 0 ? <ErrorNote error={error} /> : null;
}

interface FormDialogProps
  extends
    Omit<FormProps, 'title'>,
    Pick<DialogProps, 'title' | 'description' | 'width' | 'onClose'> {
  /** The button's label, verb and noun: "Create project". */
  action: string;
  look?: ButtonLook;
  saving: Saving;
  problems?: object | undefined;
  isDisabled?: boolean;
}

/** A dialog with fields, Cancel and one button that sends them. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, width, onClose, action, look = 'primary', ...others } = props;
  const { saving, problems, isDisabled = false, children, ...form } = others;
  return (
    <Dialog {...{ title, description, width, onClose }}>
      <Form className="flex flex-col gap-4" {...form}>
        {children}
        <SaveError saving={saving} problems={problems} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={look} isBusy={saving.isPending} disabled={isDisabled}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

interface FieldFormProps extends FormProps {
  /** The button's label. */
  action: string;
  saving: Saving;
  /** What is said at the field. */
  problem?: string | undefined;
  isDisabled?: boolean;
}

/** One field, and the button that saves it, in a row. */
export function FieldForm(props: FieldFormProps) {
  const { action, saving, problem, isDisabled = false, children, ...form } = props;
  return (
    <Form className="flex flex-col gap-3" {...form}>
      <div className="flex flex-wrap items-end gap-3">
        {children}
        <Button type="submit" isBusy={saving.isPending} disabled={isDisabled}>
          {action}
        </Button>
      </div>
      <SaveError saving={saving} problems={problem === undefined ? {} : { problem }} />
    </Form>
  );
}
