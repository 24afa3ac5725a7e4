import { useMemo } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { addSetting, editSetting, type InvoiceSetting } from '../contract/setting.ts'

interface SettingValues {
  readonly channel?: string
  readonly simulated?: boolean
}

const isNotPlatform = (v: SettingValues): boolean => v.channel !== 'platform'
const isAccountHidden = (v: SettingValues): boolean => v.channel !== 'platform' || v.simulated === true

const formGroups = [
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
      { key: 'simulated', isHidden: isNotPlatform },
      { key: 'appKey', isHidden: isAccountHidden },
      { key: 'secret', isHidden: isAccountHidden },
      { key: 'apiBase', isHidden: isAccountHidden, wide: true },
      { key: 'notifyBase', isHidden: isAccountHidden, wide: true },
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

const initialSetting: Partial<InvoiceSetting> = {
  channel: 'manual',
  simulated: false,
  kinds: ['eNormal', 'eSpecial'],
  prestoreMode: 'deduct',
  refuseNextYear: true,
  paidUpOnly: false,
}

/** What a project's set does not take over from the company's. */
const ownKeys: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createTime',
  'updateTime',
  'keyed',
  'appKey',
  'estateCode',
])

/** A company's or a project's set; a project's begins as the company's. */
export function SettingDialog({
  of: s,
  base,
  estate,
  onClose,
}: {
  readonly of: InvoiceSetting | undefined
  readonly base: InvoiceSetting | undefined
  readonly estate: string | undefined
  readonly onClose: () => void
}) {
  const add = useSend(addSetting, { quiet: true })
  const edit = useSend(editSetting, { quiet: true })
  const initial = useMemo(
    (): Partial<InvoiceSetting> =>
      s ?? {
        ...initialSetting,
        ...Object.fromEntries(Object.entries(base ?? {}).filter(([k]) => !ownKeys.has(k))),
        ...(estate ? { estateCode: estate } : {}),
      },
    [base, estate, s],
  )
  return (
    <EditDialog
      shape={s ? editSetting.input : addSetting.input}
      title={s ? '修改开票设置' : estate ? '为当前项目另设' : '设置全公司开票'}
      groups={formGroups}
      initial={initial}
      presentation="drawer"
      save={v =>
        s
          ? edit.mutateAsync({ ...v, id: s.id, version: s.version })
          : add.mutateAsync({ ...v, estateCode: estate })
      }
      onClose={onClose}
      onDone={() => {
        toast.success('已保存')
        onClose()
      }}
    />
  )
}
