import { Button, Input, Modal } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { beginTotp, confirmTotp, endTotp } from '../contract/second-factor.ts'
import { LabelledField, PasswordInput } from './auth-layout.tsx'
import { getFieldFaults } from './sms-field.tsx'
import { RecoveryCodes, SaveRecoveryCodes, TotpQr } from './totp-steps.tsx'

type Faults = Readonly<Record<string, string>>

/** The second factor: opened with the password, a picture and a code; closed with the password and a code. */
export function TotpDialog({ on, onClose }: { readonly on: boolean; readonly onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const go = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    setFaults({})
    setBusy(true)
    try {
      if (on) {
        await send(endTotp, { password, code: code.trim() }, { quiet: true })
        toast.success('动态验证码已关闭')
        return onClose()
      }
      if (!setup) {
        setSetup(await send(beginTotp, { password }, { quiet: true }))
      } else {
        setRecovery((await send(confirmTotp, { code: code.trim() }, { quiet: true })).recovery)
      }
    } catch (x) {
      setFaults(getFieldFaults(x, ['Password', 'Code'], setup || on ? 'Code' : 'Password'))
    }
    setBusy(false)
  }
  if (recovery)
    return (
      <Modal
        open
        title="动态验证码已开启"
        width={440}
        closable={false}
        mask={{ closable: false }}
        footer={
          <div className="form-foot">
            <Button type="primary" onClick={onClose}>
              我已保存
            </Button>
            <SaveRecoveryCodes codes={recovery} />
          </div>
        }
      >
        <RecoveryCodes codes={recovery} />
      </Modal>
    )
  return (
    <Modal
      open
      afterOpenChange={focusFirstInput}
      title={on ? '关闭动态验证码' : '开启动态验证码'}
      width={440}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <form onSubmit={e => void go(e)} noValidate>
        {setup ? (
          <TotpQr setup={setup} code={code} onCode={setCode} fault={faults.Code} />
        ) : (
          <PasswordInput
            label="当前密码"
            required
            fault={faults.Password}
            autoFocus
            autoComplete="current-password"
            maxLength={60}
            value={password}
            onChange={e => setPassword(e.target.value)}
          />
        )}
        {on && (
          <LabelledField label="动态验证码或恢复码" required fault={faults.Code}>
            {own => (
              <Input
                size="large"
                {...own}
                autoComplete="one-time-code"
                maxLength={20}
                value={code}
                onChange={e => setCode(e.target.value)}
              />
            )}
          </LabelledField>
        )}
        <div className="form-foot" style={{ paddingTop: 16 }}>
          <Button type="primary" htmlType="submit" loading={busy} danger={on}>
            {on ? '关闭' : setup ? '开启' : '下一步'}
          </Button>
          <Button onClick={onClose}>取消</Button>
        </div>
      </form>
    </Modal>
  )
}
