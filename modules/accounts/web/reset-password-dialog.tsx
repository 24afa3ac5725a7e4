import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { resetPassword, type Manager } from '../contract/manager.ts'
import { NewPasswordInput } from './public.new-password.tsx'

interface ResetPasswordDialogProps {
  readonly of: Manager
  /** What is reset, in the title: `密码` or `初始密码`. */
  readonly label: string
  readonly onClose: () => void
}

/** Sets another password for an account, which its holder must change at the next sign-in. */
export const ResetPasswordDialog = ({ of, label, onClose }: ResetPasswordDialogProps) => (
  <EditDialog
    shape={resetPassword.input}
    draftKey={undefined}
    title={`重置「${of.realName}」的${label}`}
    submitLabel="重置密码"
    initial={{ id: of.id }}
    groups={[{ keys: [{ key: 'password', control: NewPasswordInput }] }]}
    save={v => sendAndInvalidate(resetPassword, { ...v, id: of.id }, { quiet: true })}
    onClose={onClose}
    onDone={() => {
      onClose()
      toast.success(`已重置，请把新密码告诉「${of.realName}」，登录后须自行修改`)
    }}
  />
)
