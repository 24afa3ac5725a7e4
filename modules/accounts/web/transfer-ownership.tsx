import { defined } from '#kit/domain/defined.ts'
import { Button, Select } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useState, type SyntheticEvent } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { getMyAccount } from '../contract/account.ts'
import { requestSmsCode } from '../contract/sms-code.ts'
import { listOwnerCandidates, managerType, transferOwnership, type Manager } from '../contract/manager.ts'
import { LabelledField, PasswordInput } from './auth-layout.tsx'
import { SmsField, getFieldFaults, type SolvedCaptcha } from './sms-field.tsx'
import '#kit/web/form/form.css'
import './accounts.css'

/** PERM-5: the owner transfers the company to another account. */
export default function TransferOwnership() {
  const me = useCall(getMyAccount, undefined, { quiet: true, project: 0, staleMs: 0 })
  const people = useCall(listOwnerCandidates, { all: true }, { quiet: true, project: 0 })
  if (me.isError || people.isError)
    return (
      <ErrorState
        error={defined(me.error ?? people.error)}
        onRetry={() => {
          void me.refetch()
          void people.refetch()
        }}
      />
    )
  if (!me.data || !people.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={5} />
      </div>
    )
  if (me.data.managerType !== 'owner')
    return (
      <div className="sheet-page">
        <section>
          <h2>权限移交</h2>
          <p className="lead">
            只有超级管理员可以移交权限。你的账号类型是{labelOf(managerType, me.data.managerType)}
            ，需要时请联系超级管理员。
          </p>
        </section>
      </div>
    )
  return <TransferForm owner={me.data} candidates={people.data} onTransferred={() => void me.refetch()} />
}

interface TransferFormProps {
  readonly owner: { readonly mobile?: string }
  readonly candidates: readonly Manager[]
  readonly onTransferred: () => void
}

function TransferForm({ owner, candidates, onTransferred }: TransferFormProps) {
  const [to, setTo] = useState<number>()
  const [password, setPassword] = useState('')
  const [smsCode, setCode] = useState('')
  const [reason, setReason] = useState('')
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const successor = candidates.find(m => m.id === to)
  const requestCode = async (picture: SolvedCaptcha): Promise<string> =>
    send(requestSmsCode, { purpose: 'transfer', ...picture }, { quiet: true })
  const submit = (e: SyntheticEvent): void => {
    e.preventDefault()
    const reasonLength = [...reason.trim()].length
    const found = {
      ...(successor ? {} : { ID: '请选择接收人' }),
      ...(password ? {} : { Password: '请输入当前密码' }),
      ...(/^\d{6}$/.test(smsCode) ? {} : { SmsCode: '请输入 6 位短信验证码' }),
      ...(reasonLength < 2 || reasonLength > 200 ? { Reason: '请注明原因，2 到 200 个字' } : {}),
    }
    setFaults(found)
    if (!successor || Object.keys(found).length) return
    void confirmDanger({
      actionLabel: '移交权限',
      unit: '个公司',
      count: 1,
      title: `把超级管理员移交给「${successor.realName}」`,
      confirmText: successor.realName,
      reason: false,
      consequences: [
        '移交后你成为子管理员，不能再管理超级管理员的事项。',
        `只有「${successor.realName}」可以再移交回来。`,
      ],
      run: async () => {
        try {
          await sendAndInvalidate(
            transferOwnership,
            { id: successor.id, password, smsCode, reason: reason.trim() },
            { quiet: true },
          )
          toast.success(`超级管理员已移交给「${successor.realName}」`)
          setPassword('')
          setCode('')
          onTransferred()
        } catch (x) {
          setFaults(getFieldFaults(x, ['ID', 'Password', 'SmsCode', 'Reason'], 'Reason'))
          throw x
        }
      },
    })
  }
  return (
    <div className="sheet-page">
      <section>
        <h2>权限移交</h2>
        <p className="lead">
          公司只有一位超级管理员，不受角色限制，也不能被删除。移交需要你的密码和手机验证码，对方立即生效。
        </p>
        {!owner.mobile && (
          <p className="form-band" role="alert">
            你的账号未绑定手机号，无法接收验证码。请先到「个人中心」绑定手机。
          </p>
        )}
        <form onSubmit={submit} noValidate style={{ maxWidth: 400 }}>
          <LabelledField label="接收人" required fault={faults.ID} help="只列出启用中的账号，子管理员在前">
            {own => (
              <Select
                size="large"
                style={{ width: '100%' }}
                {...own}
                showSearch={{ optionFilterProp: 'label' }}
                placeholder="请选择接收人"
                value={to ?? null}
                onChange={setTo}
                options={candidates.map(m => ({
                  value: m.id,
                  label: `${m.realName}（${m.loginCode}，${labelOf(managerType, m.managerType)}）`,
                }))}
              />
            )}
          </LabelledField>
          <LabelledField label="原因" required fault={faults.Reason}>
            {own => (
              <TextArea
                {...own}
                rows={2}
                maxLength={200}
                value={reason}
                onChange={e => setReason(e.target.value)}
              />
            )}
          </LabelledField>
          <PasswordInput
            label="当前密码"
            required
            fault={faults.Password}
            autoComplete="current-password"
            maxLength={60}
            value={password}
            onChange={e => setPassword(e.target.value)}
          />
          <SmsField value={smsCode} onChange={setCode} fault={faults.SmsCode} requestCode={requestCode} />
          <Button className="auth-submit" danger size="large" htmlType="submit">
            移交权限
          </Button>
        </form>
      </section>
    </div>
  )
}
