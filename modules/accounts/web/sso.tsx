import { defined } from '#kit/domain/defined.ts'
import { Button } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useEffect, useState } from 'react'
import { Refused } from '#kit/contract/wire.ts'
import { send } from '#kit/web/send.ts'
import { ssoLogin } from '../contract/company.ts'
import { AuthLink, AuthLayout, LabelledField } from './auth-layout.tsx'
import { enterApp } from './enter-app.ts'
import { signInEntries } from './sign-in-entries.ts'

/**
 * Comes from another system with a ticket in the address; the ticket serves once, so it leaves the address at
 * once.
 */
export default function Sso() {
  const [ticketInAddress] = useState(() => new URLSearchParams(location.search).get('ticket') ?? '')
  const [ticket, setTicket] = useState('')
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(ticketInAddress !== '')
  const enter = async (text: string): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    const search = location.search
    try {
      const signed = await send(ssoLogin, { ticket: text }, { quiet: true })
      enterApp(signed, defined(signInEntries[0]), search)
    } catch (x) {
      setBusy(false)
      setFault(x instanceof Refused ? x.message : '登录失败，请检查网络后重试')
    }
  }
  useEffect(() => {
    if (ticketInAddress) {
      void enter(ticketInAddress)
    }
  }, [])
  return (
    <AuthLayout
      title="企业单点登录"
      company={busy ? '正在验证来自其他系统的登录' : '请从公司的其他系统点击进入，或粘贴该系统提供的登录凭证'}
    >
      <form
        noValidate
        onSubmit={e => {
          e.preventDefault()
          if (ticket.trim()) {
            void enter(ticket.trim())
          } else {
            setFault('请粘贴登录凭证')
          }
        }}
      >
        <LabelledField label="登录凭证" fault={fault}>
          {own => (
            <TextArea
              {...own}
              rows={3}
              maxLength={2000}
              disabled={busy}
              value={ticket}
              onChange={e => setTicket(e.target.value)}
            />
          )}
        </LabelledField>
        <Button className="auth-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
          进入
        </Button>
      </form>
      <div className="auth-links">
        <AuthLink to="/login">用账号密码登录</AuthLink>
      </div>
    </AuthLayout>
  )
}
