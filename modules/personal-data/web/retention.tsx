import { Button, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { periodUnit } from '#kit/contract/period-unit.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { send } from '#kit/web/send.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { getRetention, previewRetention, saveRetention } from '../contract/retention.ts'
import { nightlyRun } from '../domain/retention.ts'
import { menu } from '../module.ts'
import './personal-data.css'

type Setting = NonNullable<typeof getRetention.output.T>
type Rule = Setting['rules'][number]
type Due = NonNullable<typeof previewRetention.output.T>

interface RuleRowProps {
  readonly rule: Rule
  readonly amount: number
  readonly due: Due[number] | undefined
  readonly canEdit: boolean
  readonly isOutside: boolean
  readonly onChange: (amount: number) => void
}

const isOutsideOf = ({ min, max }: Rule, amount: number): boolean => amount < min || amount > max

const RuleRow = ({ rule, amount, due, canEdit, isOutside, onChange }: RuleRowProps) => (
  <tr>
    <td>
      {rule.label}
      <small>{rule.content}</small>
      {rule.isAlways && <small>不论是否开启，到期即清除</small>}
    </td>
    <td>
      {rule.basis}
      <small>
        {rule.min} 到 {rule.max} {labelOf(periodUnit, rule.unit)}，默认 {rule.initial}
      </small>
      {rule.replaced !== undefined && (
        <small className="bad">
          原设置 {rule.replaced}，已按 {rule.amount} {labelOf(periodUnit, rule.unit)}执行
        </small>
      )}
    </td>
    <td className="amount">
      {rule.setPath !== undefined ? (
        <>
          各项目自定
          <small>
            <Link to={rule.setPath}>{rule.setTitle}</Link>
          </small>
        </>
      ) : canEdit ? (
        <>
          <InputNumber
            aria-label={`${rule.label}的保存期限`}
            value={amount}
            precision={0}
            status={isOutside ? 'error' : ''}
            suffix={labelOf(periodUnit, rule.unit)}
            style={{ width: 120 }}
            onChange={value => onChange(value ?? rule.initial)}
          />
          {isOutside && (
            <small className="bad">
              应在 {rule.min} 到 {rule.max} {labelOf(periodUnit, rule.unit)}之间
            </small>
          )}
        </>
      ) : (
        `${amount} ${labelOf(periodUnit, rule.unit)}`
      )}
    </td>
    <td className="figure">{due ? formatCount(due.count) : rule.isAutomatic ? '--' : '不自动清除'}</td>
    <td className="figure">
      {rule.lastDay === undefined ? '--' : formatCount(rule.lastCount ?? 0)}
      {rule.lastDay !== undefined && <small>{rule.lastDay}</small>}
    </td>
  </tr>
)

const countOf = (due: Due): number => due.reduce((sum, row) => sum + row.count, 0)

function RetentionForm({ setting, onSaved }: { readonly setting: Setting; readonly onSaved: () => void }) {
  const canEdit = usePermission()(menu.retention.permissions.edit)
  const [isOn, setOn] = useState(setting.isOn)
  const [amounts, setAmounts] = useState<ReadonlyMap<string, number>>(new Map())
  const [due, setDue] = useState<Due>()
  const [busy, setBusy] = useState<'preview' | 'save'>()
  const changed =
    isOn !== setting.isOn ||
    [...amounts].some(([key, amount]) =>
      setting.rules.some(rule => rule.key === key && rule.amount !== amount),
    )
  const hasFaults = setting.rules.some(rule => isOutsideOf(rule, amounts.get(rule.key) ?? rule.amount))
  useUnsaved(changed)
  const periods = [...amounts].map(([key, amount]) => ({ key, amount }))
  const during = async <T,>(what: 'preview' | 'save', work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(what)
    try {
      return await work()
    } catch {
      // Shown as a toast.
      return undefined
    } finally {
      setBusy(undefined)
    }
  }
  const preview = (): Promise<Due | undefined> =>
    during('preview', async () => {
      const rows = await send(previewRetention, { periods })
      setDue(rows)
      return rows
    })
  const save = async (): Promise<void> => {
    const rows = isOn ? await preview() : []
    if (!rows) return
    const count = countOf(rows)
    const isSure =
      !isOn ||
      (await confirm({
        title: '保存并自动清除到期数据',
        text: `今夜将清除 ${formatCount(count)} 条到期数据，清除后不可恢复。`,
        okLabel: '保存',
        danger: count > 0,
      }))
    if (!isSure) return
    const saved = await during('save', () =>
      sendAndInvalidate(saveRetention, { isOn, periods, version: setting.version }),
    )
    if (!saved) return
    toast.success(isOn ? `已保存，每天 ${nightlyRun.time} 清除到期数据` : '已保存，不自动清除')
    onSaved()
  }
  return (
    <>
      <div className="bar">
        <Switch checked={isOn} disabled={!canEdit} aria-label="到期自动清除" onChange={setOn} />
        <span>到期自动清除</span>
        <span className="note">
          {isOn ? `每天 ${nightlyRun.time} 清除，每批记入变更记录` : '未开启，到期数据不清除'}
        </span>
        <span className="spring" />
        <Button disabled={hasFaults} loading={busy === 'preview'} onClick={() => void preview()}>
          预览到期数据
        </Button>
        {canEdit && (
          <Button
            type="primary"
            disabled={!changed || hasFaults}
            loading={busy === 'save'}
            onClick={() => void save()}
          >
            保存
          </Button>
        )}
      </div>
      <p className="lead">
        上次运行{' '}
        {setting.lastRunTime === undefined
          ? '尚未运行'
          : `${setting.lastRunTime.slice(0, 16)}，清除 ${formatCount(setting.lastRunCount ?? 0)} 条`}
        {setting.nextRunTime !== undefined && `；下次运行 ${setting.nextRunTime.slice(0, 16)}`}
      </p>
      <div className="privacy-table">
        <table aria-label="保存期限">
          <thead>
            <tr>
              <th>种类</th>
              <th>依据与范围</th>
              <th>保存期限</th>
              <th className="figure">到期条数</th>
              <th className="figure">上次清除</th>
            </tr>
          </thead>
          <tbody>
            {setting.rules.map(rule => (
              <RuleRow
                key={rule.key}
                rule={rule}
                amount={amounts.get(rule.key) ?? rule.amount}
                due={due?.find(row => row.key === rule.key)}
                canEdit={canEdit}
                isOutside={isOutsideOf(rule, amounts.get(rule.key) ?? rule.amount)}
                onChange={amount => {
                  setDue(undefined)
                  setAmounts(new Map([...amounts, [rule.key, amount]]))
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** 保存期限: how long each kind of data is kept, and what would go tonight. */
export default function RetentionPage() {
  const query = useCall(getRetention, undefined, { quiet: true, project: 0, staleMs: 0 })
  return (
    <div className="privacy">
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <RetentionForm key={query.data.version} setting={query.data} onSaved={() => void query.refetch()} />
      ) : (
        <RowSkeleton rows={10} />
      )}
    </div>
  )
}
