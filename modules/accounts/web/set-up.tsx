import { Button, Input } from 'antd'
import { useState, type SyntheticEvent } from 'react'
import { fault } from '#kit/contract/value.ts'
import type { Field as FieldOf } from '#kit/contract/field.ts'
import { Refused } from '#kit/contract/wire.ts'
import { go } from '#kit/web/go.ts'
import { queries } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { signIn } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { setUp } from '../contract/company.ts'
import { login } from '../contract/sign-in.ts'
import { Door, Field, Secret, useDoor } from './door.tsx'
import { firstFault, passwordHelp } from './words.ts'

const fields = setUp.input.fields as Readonly<
  Record<'companyName' | 'realName' | 'loginCode' | 'mobile', FieldOf>
>

const texts = ['companyName', 'realName', 'mobile', 'loginCode'] as const
type Key = (typeof texts)[number] | 'password' | 'again'

const empty: Record<Key, string> = {
  companyName: '',
  realName: '',
  mobile: '',
  loginCode: '',
  password: '',
  again: '',
}

const wires: Record<string, Key> = {
  CompanyName: 'companyName',
  RealName: 'realName',
  Mobile: 'mobile',
  Logincode: 'loginCode',
  Password: 'password',
}

const asked: Partial<Record<Key, string>> = {
  companyName: 'organization',
  realName: 'name',
  mobile: 'tel',
  loginCode: 'username',
}

/** An installation with nobody in it: its company and its administrator. */
export default function SetUp() {
  const { data } = useDoor()
  const [said, setSaid] = useState(empty)
  const [faults, setFaults] = useState<Partial<Record<Key, string>>>({})
  const [busy, setBusy] = useState(false)
  const set =
    (k: Key) =>
    (e: { target: { value: string } }): void =>
      setSaid(s => ({ ...s, [k]: e.target.value }))
  const submit = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault()
    const found: Partial<Record<Key, string>> = {}
    for (const k of texts) {
      const w = fault(fields[k], said[k].trim() || undefined)
      if (w) {
        found[k] = w
      }
    }
    const wrong = firstFault(said.password, said.loginCode)
    if (wrong) {
      found.password = wrong
    }
    if (said.again !== said.password) {
      found.again = '两次输入的密码不一致'
    }
    setFaults(found)
    if (Object.keys(found).length) return
    setBusy(true)
    try {
      const { again: _, mobile, ...rest } = said
      await send(setUp, { ...rest, ...(mobile.trim() ? { mobile: mobile.trim() } : {}) }, { quiet: true })
      signIn(
        await send(login, { loginCode: said.loginCode.trim(), password: said.password }, { quiet: true }),
      )
      queries.clear()
      toast.success(`已开通「${said.companyName.trim()}」`)
      go('/', { replace: true })
    } catch (x) {
      setBusy(false)
      if (!(x instanceof Refused)) return setFaults({ again: '开通没有完成，请检查网络后重试' })
      const list = Array.isArray(x.data)
        ? (x.data as { Field: string; Message: string }[])
        : [{ Field: (x.data as { Field?: string } | null)?.Field ?? '', Message: x.message }]
      setFaults(Object.fromEntries(list.map(f => [wires[f.Field] ?? 'again', f.Message])))
    }
  }
  if (data && !data.empty)
    return (
      <Door title="已完成初始化">
        <p className="hint" role="status">
          <span>系统里已经有公司，请直接登录</span>
        </p>
        <Button
          className="door-submit"
          type="primary"
          size="large"
          block
          onClick={() => go('/login', { replace: true })}
        >
          去登录
        </Button>
      </Door>
    )
  return (
    <Door title="开始使用" company="先填写公司，再设置超级管理员的账号">
      <form onSubmit={e => void submit(e)} noValidate>
        {texts.map(k => (
          <Field
            key={k}
            label={`${fields[k].label}${fields[k].required ? '' : '（可不填）'}`}
            fault={faults[k]}
          >
            {own => (
              <Input
                size="large"
                {...own}
                autoComplete={asked[k]}
                autoFocus={k === 'companyName'}
                maxLength={fields[k].max ?? 80}
                value={said[k]}
                onChange={set(k)}
              />
            )}
          </Field>
        ))}
        <Secret
          label="密码"
          fault={faults.password}
          help={passwordHelp}
          autoComplete="new-password"
          maxLength={15}
          value={said.password}
          onChange={set('password')}
        />
        <Secret
          label="再输一次密码"
          fault={faults.again}
          autoComplete="new-password"
          maxLength={15}
          value={said.again}
          onChange={set('again')}
        />
        <Button className="door-submit" type="primary" size="large" block htmlType="submit" loading={busy}>
          开通并进入
        </Button>
      </form>
    </Door>
  )
}
