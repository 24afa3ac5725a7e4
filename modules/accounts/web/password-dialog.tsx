import { useChangePassword } from './use-change-password.tsx'
import { Button, Modal } from 'antd'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { getFieldFaults } from './sms-field.tsx'

interface PasswordDialogProps {
  readonly loginCode: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The user's password, old and new. */
export function PasswordDialog({ loginCode, onClose, onDone }: PasswordDialogProps) {
  const { fields, isBusy, onSubmit } = useChangePassword({
    loginCode,
    onChanged: onDone,
    readFaults: error => getFieldFaults(error, ['OldPassword', 'Password'], 'again'),
  })
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title="修改密码"
      width={440}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <form onSubmit={onSubmit} noValidate>
        {fields}
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            修改密码
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
