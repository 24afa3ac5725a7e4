import { useMemo } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { addSet, editSet, type InvoiceSet } from '../contract/set.ts'

interface Said {
  readonly channel?: string
  readonly simulated?: boolean
}

const noPlatform = (v: Said): boolean => v.channel !== 'platform'
const noAccount = (v: Said): boolean => v.channel !== 'platform' || v.simulated === true

const groups = [
  {
    title: '销方',
    keys: [
      'companyName',
      'taxNo',
      { key: 'address', wide: true },
      { key: 'bank', wide: true },
      'drawer',
      'payee',
      'reviewer',
    ],
  },
  {
    title: '通道',
    keys: [
      'channel',
      { key: 'simulated', hidden: noPlatform },
      { key: 'appKey', hidden: noAccount },
      { key: 'secret', hidden: noAccount },
      { key: 'apiBase', hidden: noAccount, wide: true },
      { key: 'notifyBase', hidden: noAccount, wide: true },
    ],
  },
  {
    title: '规则',
    keys: [
      { key: 'kinds', wide: true, help: '开票平台只开电子发票' },
      'limitAmount',
      'prestoreMode',
      'refuseNextYear',
      'paidUpOnly',
    ],
  },
]

const start: Partial<InvoiceSet> = {
  channel: 'manual',
  simulated: false,
  kinds: ['eNormal', 'eSpecial'],
  prestoreMode: 'deduct',
  refuseNextYear: true,
  paidUpOnly: false,
}

/** What a project's set does not take over from the company's. */
const own: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createTime',
  'updateTime',
  'keyed',
  'appKey',
  'estateCode',
])

/** A company's or a project's set; a project's begins as the company's. */
export function SetDialog({
  of: s,
  base,
  estate,
  onClose,
}: {
  readonly of: InvoiceSet | undefined
  readonly base: InvoiceSet | undefined
  readonly estate: string | undefined
  readonly onClose: () => void
}) {
  const add = useSend(addSet, { quiet: true })
  const edit = useSend(editSet, { quiet: true })
  const initial = useMemo(
    (): Partial<InvoiceSet> =>
      s ?? {
        ...start,
        ...Object.fromEntries(Object.entries(base ?? {}).filter(([k]) => !own.has(k))),
        ...(estate ? { estateCode: estate } : {}),
      },
    [base, estate, s],
  )
  return (
    <EditDialog
      of={s ? editSet.input : addSet.input}
      title={s ? '修改开票设置' : estate ? '为当前项目另设' : '设置全公司开票'}
      groups={groups as never}
      initial={initial as never}
      as="drawer"
      save={v =>
        s
          ? edit.mutateAsync({ ...v, id: s.id, version: s.version } as never)
          : add.mutateAsync({ ...v, estateCode: estate } as never)
      }
      onClose={onClose}
      onDone={() => {
        toast.success('已保存')
        onClose()
      }}
    />
  )
}
