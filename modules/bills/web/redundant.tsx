import { paths } from './paths.ts'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { sumFen } from '#kit/domain/money.ts'
import { Button, Checkbox } from 'antd'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { abolishBills } from '../contract/actions.ts'
import { billSource } from '../contract/choices.ts'
import { listRedundantBills } from '../contract/list.ts'
import { menu } from '../module.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { BillStatus } from './labels.tsx'
import './bills.css'

type RedundantRow = NonNullable<typeof listRedundantBills.output.T>['rows'][number]

/** Bills that charge the same thing twice, by group, the suggested ones selected (BILL-6). */
export default function RedundantPage() {
  const project = useProject()
  const hasPermission = usePermission()
  const navigate = useNavigate()
  const query = useCall(listRedundantBills, project ? { projectCode: project } : {}, { quiet: true })
  const [changed, setChanged] = useState<ReadonlyMap<Id, boolean>>(new Map())
  const groups = useMemo(() => [...Map.groupBy(query.data?.rows ?? [], r => r.group).values()], [query.data])
  const isOn = (r: RedundantRow): boolean => changed.get(r.id) ?? r.abolish
  const selected = (query.data?.rows ?? []).filter(isOn)
  if (query.isPending)
    return (
      <div className="redundant">
        <RowSkeleton rows={8} />
      </div>
    )
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!groups.length)
    return (
      <StateMessage
        text="暂无重复账单"
        actions={[{ label: '返回收费列表', run: () => void navigate(paths.bills) }]}
      />
    )
  const abolish = (): Promise<boolean> =>
    confirmAndSend(abolishBills, {
      actionLabel: '作废',
      unit: '条重复账单',
      count: selected.length,
      affectedSums: [
        ['应收', displayYuan(sumFen(selected.map(b => b.receivable)))],
        ['未缴合计', displayYuan(sumFen(selected.map(b => b.unpaid)))],
      ],
      consequences: ['每组至少留下一张。', '已缴费、支付中或已开票的不会作废，会单独列出原因。'],
      amount: sumFen(selected.map(b => b.unpaid)),
      reason: { presets: ['重复出账', '重复导入'] },
      input: { ids: selected.map(b => String(b.id)) },
      onDone: async () => {
        setChanged(new Map())
        await query.refetch()
      },
    })
  const fullySelectedGroups = groups.filter(g => g.every(isOn)).length
  return (
    <div className="redundant">
      <header>
        <p>
          找到 <b>{formatCount(groups.length)}</b> 组重复账单{query.data.hasMore && '（未列全，处理后再查）'}
          ，已按「留下已缴的或最早出账的」勾选
        </p>
        {hasPermission(menu.bill.permissions.abolish) && (
          <Button
            danger
            disabled={!selected.length || fullySelectedGroups > 0}
            title={fullySelectedGroups ? `有 ${fullySelectedGroups} 组全部勾选，每组至少留一张` : undefined}
            onClick={() => void abolish()}
          >
            作废勾选的 {formatCount(selected.length)} 条
          </Button>
        )}
        <Link to={paths.bills}>返回收费列表</Link>
      </header>
      {groups.map(group => (
        <section key={defined(group[0]).group}>
          <h3>
            {defined(group[0]).sourceName} · {defined(group[0]).feeItemName}
          </h3>
          <table>
            <tbody>
              {group.map(bill => (
                <tr key={bill.id}>
                  <td>
                    <Checkbox
                      aria-label={`作废 ${bill.billNo}`}
                      checked={isOn(bill)}
                      disabled={bill.paidPrincipal > 0}
                      onChange={e => setChanged(new Map(changed).set(bill.id, e.target.checked))}
                    />
                  </td>
                  <td>{bill.billNo}</td>
                  <td>{formatPeriod(bill.beginDate, bill.endDate)}</td>
                  <td>{labelOf(billSource, bill.billSource)}</td>
                  <td className="figure">{displayYuan(bill.receivable)}</td>
                  <td>
                    <BillStatus of={bill} />
                  </td>
                  <td className="why">{bill.why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  )
}
