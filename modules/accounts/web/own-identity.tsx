import { Button, Modal } from 'antd'
import { useState } from 'react'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { beginIdentityBinding, getOwnIdentity, unbindOwnIdentity } from '../contract/identity-sign-in.ts'
import { CurrentPasswordField, useAuthForm, type Faults } from './auth-form.tsx'
import { departTo } from './identity-departure.ts'
import { UnbindDialog } from './unbind-dialog.tsx'

/** The password proves who binds; then the provider, whose identity it is. */
function BindIdentityDialog({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('')
  const { faults, isBusy, onSubmit } = useAuthForm({
    fields: ['Password'],
    otherwise: 'Password',
    check: (): Faults => (password ? {} : { Password: '请输入当前密码' }),
    submit: async () => {
      const { origin } = location
      departTo(await send(beginIdentityBinding, { password, origin }, { quiet: true }), 'bind')
    },
  })
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title="绑定统一身份"
      width={440}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <form onSubmit={onSubmit} noValidate>
        <p style={{ paddingBottom: 8 }}>接下来到身份平台登录，登录的身份即绑定到当前账号。</p>
        <CurrentPasswordField fault={faults.Password} autoFocus value={password} onChange={setPassword} />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            前往绑定
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}

/** The user's identity at the company's provider, where the company uses one. */
export function OwnIdentity() {
  const query = useCall(getOwnIdentity, undefined, { quiet: true, project: 0, staleMs: 0 })
  const [isOpen, setIsOpen] = useState(false)
  if (!query.data?.isAvailable) return null
  const { isBound, displayName } = query.data
  const close = (): void => setIsOpen(false)
  return (
    <div>
      <dt>统一身份</dt>
      <dd>
        {isBound ? `已绑定${displayName ? `「${displayName}」` : ''}` : '未绑定'}{' '}
        <button type="button" className="linkish" onClick={() => setIsOpen(true)}>
          {isBound ? '解除绑定' : '绑定'}
        </button>
        {isOpen && !isBound && <BindIdentityDialog onClose={close} />}
        {isOpen && isBound && (
          <UnbindDialog
            title="解除统一身份绑定"
            text="解除后不能再用统一身份登录，账号密码仍可使用；可以随时重新绑定。"
            unbind={password => send(unbindOwnIdentity, { password }, { quiet: true })}
            onClose={close}
            onDone={() => {
              close()
              toast.success('统一身份绑定已解除')
              void query.refetch()
            }}
          />
        )}
      </dd>
    </div>
  )
}
