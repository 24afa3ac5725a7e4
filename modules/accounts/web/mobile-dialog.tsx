import { Button, Input, Modal } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { rules } from '#kit/contract/rules.ts'
import { send } from '#kit/web/send.ts'
import { changeMobile, requestSmsCode } from '../contract/sms-code.ts'
import { LabelledField, PasswordInput } from './auth-layout.tsx'
import { SmsField, getFieldFaults, type SolvedCaptcha } from './sms-field.tsx'

/** One's own mobile: the password, and a code to the new number. */
export function MobileDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const [mobile, setMobile] = useState('')
  const [smsCode, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const findMobileFault = (): string | undefined => rules.mobile.test(mobile.trim(), { required: true })
  const ask = async (picture: SolvedCaptcha): Promise<string> => {
    const w = findMobileFault()
    setFaults(w ? { Mobile: w } : {})
    if (w) throw new Error('请先填写新手机号')
    return send(requestSmsCode, { purpose: 'mobile', mobile: mobile.trim(), ...picture }, { quiet: true })
  }
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const w = findMobileFault()
    const found = {
      ...(w ? { Mobile: w } : {}),
      ...(/^\d{6}$/.test(smsCode) ? {} : { SmsCode: '请输入 6 位短信验证码' }),
      ...(password ? {} : { Password: '请输入当前密码' }),
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      await send(changeMobile, { mobile: mobile.trim(), smsCode, password }, { quiet: true })
      onDone()
    } catch (x) {
      setBusy(false)
      setFaults(getFieldFaults(x, ['Mobile', 'SmsCode', 'Password'], 'Password'))
    }
  }
  return (
    <Modal open title="更换手机" width={440} footer={null} onCancel={onClose} mask={{ closable: false }}>
      <form onSubmit={e => void submit(e)} noValidate>
        <LabelledField label="新手机号" fault={faults.Mobile}>
          {own => (
            <Input
              size="large"
              {...own}
              autoFocus
              autoComplete="tel"
              inputMode="tel"
              maxLength={11}
              value={mobile}
              onChange={e => setMobile(e.target.value)}
            />
          )}
        </LabelledField>
        <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} ask={ask} />
        <PasswordInput
          label="当前密码"
          fault={faults.Password}
          autoComplete="current-password"
          maxLength={60}
          value={password}
          onChange={e => setPassword(e.target.value)}
        />
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={busy}>
            更换手机
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
