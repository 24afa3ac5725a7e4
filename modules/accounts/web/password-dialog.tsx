import { Button, Modal } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { send } from '#kit/web/send.ts'
import { changePassword } from '../contract/account.ts'
import { PasswordInput } from './auth-layout.tsx'
import { getFieldFaults } from './sms-field.tsx'
import { findNewPasswordFault, passwordHelp } from './password-rules.ts'

/** One's own password, old and new. */
export function PasswordDialog({
  loginCode,
  onClose,
  onDone,
}: {
  readonly loginCode: string
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [again, setAgain] = useState('')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const wrong = findNewPasswordFault(fresh, loginCode, old)
    const found = {
      ...(old ? {} : { OldPassword: '请输入当前密码' }),
      ...(wrong ? { Password: wrong } : {}),
      ...(again === fresh ? {} : { again: '两次输入的新密码不一致' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      await send(changePassword, { oldPassword: old, password: fresh }, { quiet: true })
      onDone()
    } catch (x) {
      setBusy(false)
      setFaults(getFieldFaults(x, ['OldPassword', 'Password'], 'again'))
    }
  }
  return (
    <Modal open title="修改密码" width={440} footer={null} onCancel={onClose} mask={{ closable: false }}>
      <form onSubmit={e => void submit(e)} noValidate>
        <input type="text" hidden readOnly autoComplete="username" value={loginCode} />
        <PasswordInput
          label="当前密码"
          fault={faults.OldPassword}
          autoFocus
          autoComplete="current-password"
          maxLength={60}
          value={old}
          onChange={e => setOld(e.target.value)}
        />
        <PasswordInput
          label="新密码"
          fault={faults.Password}
          help={passwordHelp}
          autoComplete="new-password"
          maxLength={15}
          value={fresh}
          onChange={e => setFresh(e.target.value)}
        />
        <PasswordInput
          label="确认新密码"
          fault={faults.again}
          autoComplete="new-password"
          maxLength={15}
          value={again}
          onChange={e => setAgain(e.target.value)}
        />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={busy}>
            修改密码
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
