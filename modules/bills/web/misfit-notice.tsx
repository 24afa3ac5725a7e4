import { paths } from './paths.ts'
import { displayYuanWithSymbol, formatCount } from '#kit/web/numbers.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { send } from '#kit/web/send.ts'
import { hasPermission } from '#kit/web/session.ts'
import type { roomChangeNotices } from '#modules/rooms/web/public.tsx'
import { listFollowUps, type BillFollowUp } from '../contract/follow-up.ts'
import { menu } from '../module.ts'

const maxListed = 8

const describe = (row: BillFollowUp): string =>
  [
    row.feeItemName,
    row.beginDate && row.endDate ? `${row.beginDate} 至 ${row.endDate}` : undefined,
    row.payerName ? `应由${row.payerName}` : undefined,
    displayYuanWithSymbol(row.amount),
  ]
    .filter(Boolean)
    .join(' · ')

type Room = Parameters<Parameters<typeof roomChangeNotices.provide>[0]>[0]

/** Lists the bills that a saved change of a room left with another payer or area (C27-7). */
export async function showMisfitBills({ projectCode, code, path }: Room): Promise<void> {
  if (!hasPermission(menu.bill.permissions.view)) return
  const { rows, total } = await send(
    listFollowUps,
    { projectCode, sourceCode: code, state: ['open'], page: 1, size: maxListed },
    { quiet: true },
  )
  if (!total) return
  const opens = await confirm({
    title: `「${path}」有 ${formatCount(total)} 张账单与变更不符`,
    text: (
      <>
        <p>已列入「待处理账单」，未缴的拆分或重新出账，已缴的退款或不处理：</p>
        <ul>
          {rows.map(row => (
            <li key={row.id}>{describe(row)}</li>
          ))}
        </ul>
        {total > rows.length && <p>等 {formatCount(total)} 张</p>}
      </>
    ),
    okLabel: '处理',
    cancelLabel: '以后处理',
  })
  if (opens) {
    navigateTo(`${paths.followUps}?keyword=${encodeURIComponent(path)}`)
  }
}
