import { defined } from '#kit/domain/defined.ts'
import { useLocation, useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { recordPath } from '#modules/payments/web/public.ts'
import { exportEntries, listEntries, type PrestoreEntry } from '../contract/entry.ts'

const listColumns = buildColumns(listEntries.output, [
  { key: 'ownerName', identity: true },
  'entryType',
  'amount',
  { key: 'gift', hidePriority: 1 },
  'balanceBefore',
  'balanceAfter',
  'entryTime',
  { key: 'operatorName', hidePriority: 1 },
  { key: 'remark', width: 140, grow: 1, hidePriority: 1 },
])

const columnsWithoutOwner = listColumns
  .filter(c => c.key !== 'ownerName')
  .map((c, i) => (i ? c : { ...c, identity: true }))

interface Props {
  readonly fixed?: object
  readonly embedded?: boolean
  readonly what?: string
  readonly name?: string
  readonly kinds?: boolean
}

/** Movements with what was before and after (ACC-2). */
export function Entries({ fixed, embedded, what = '预存流水', name, kinds = true }: Props) {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  return (
    <ListPage
      list={listEntries}
      itemName={what}
      columns={embedded ? columnsWithoutOwner : listColumns}
      {...(embedded ? { embedded: true } : {})}
      {...(name ? { settingsKey: name } : {})}
      {...(fixed ? { fixedFilter: fixed } : {})}
      filters={[...(kinds ? ['entryType'] : []), 'entryTime', 'amount', 'gift']}
      barFilters={[...(kinds ? ['entryType'] : []), 'entryTime']}
      {...(embedded ? {} : { export: exportEntries })}
      rowActions={(entry: PrestoreEntry) => [
        entry.recordId !== undefined &&
          hasPermission(getRecord.needs) && {
            label: '查看收款',
            run: () => navigate(recordPath(defined(entry.recordId))),
          },
      ]}
      {...(embedded ? {} : { drawer: { title: (e: PrestoreEntry) => e.ownerName ?? '预存流水' } })}
    />
  )
}

const prestoreFilter = {
  entryType: ['topUp', 'change', 'deposit', 'gift', 'moveIn', 'moveOut', 'refund', 'giftExpired', 'adjust'],
}

const offsetFilter = { entryType: ['deduct', 'undone'] }

/** 预存记录: all but deductions; by kind where an address asks so. */
export const PrestoreRecordsPage = () => (
  <Entries
    fixed={prestoreFilter}
    what="预存记录"
    name="prestore/in"
    kinds={new URLSearchParams(useLocation().search).has('entryType')}
  />
)

/** 冲抵记录: what paid bills, and what was taken back. */
export const OffsetPage = () => (
  <Entries fixed={offsetFilter} what="冲抵记录" name="prestore/offset" kinds={false} />
)
