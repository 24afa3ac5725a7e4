import { useMemo } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { addSetting, editSetting, type InvoiceSetting } from '../contract/setting.ts'

interface SettingValues {
  readonly channel?: string
  readonly simulated?: boolean
}

const isNotPlatform = ({ channel }: SettingValues): boolean => channel !== 'platform'
const isAccountHidden = ({ channel, simulated }: SettingValues): boolean =>
  channel !== 'platform' || simulated === true

const formGroups = [
  {
    title: '销方',
    keys: ['companyName', 'taxNo', 'address', { key: 'bank', wide: true }, 'drawer', 'payee', 'reviewer'],
  },
  {
    title: '通道',
    keys: [
      'channel',
      { key: 'simulated', isHidden: isNotPlatform },
      { key: 'appKey', isHidden: isAccountHidden },
      { key: 'secret', isHidden: isAccountHidden },
      { key: 'apiBase', isHidden: isAccountHidden },
      { key: 'notifyBase', isHidden: isAccountHidden },
    ],
  },
  {
    title: '规则',
    keys: [
      { key: 'kinds', help: '开票平台只开电子发票' },
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

/** What a project's setting does not take over from the company's. */
const ownKeys: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createTime',
  'updateTime',
  'hasStoredKey',
  'appKey',
  'estateCode',
])

/** A company's or a project's setting; a new project's is prefilled from the company's. */
export function SettingDialog({
  setting,
  companySetting,
  estate,
  onClose,
}: {
  readonly setting: InvoiceSetting | undefined
  readonly companySetting: InvoiceSetting | undefined
  readonly estate: string | undefined
  readonly onClose: () => void
}) {
  const add = useSend(addSetting, { quiet: true })
  const edit = useSend(editSetting, { quiet: true })
  const initial = useMemo(
    (): Partial<InvoiceSetting> =>
      setting ?? {
        ...initialSetting,
        ...Object.fromEntries(Object.entries(companySetting ?? {}).filter(([key]) => !ownKeys.has(key))),
        ...(estate ? { estateCode: estate } : {}),
      },
    [companySetting, estate, setting],
  )
  return (
    <EditDialog
      shape={setting ? editSetting.input : addSetting.input}
      draftKey={setting ? draftKeyOf(editSetting, setting.id) : draftKeyOf(addSetting, estate ?? 'company')}
      title={setting ? '修改开票设置' : estate ? '当前项目单独设置' : '设置全公司开票'}
      groups={formGroups}
      initial={initial}
      presentation="drawer"
      save={values =>
        setting
          ? edit.mutateAsync({ ...values, id: setting.id, version: setting.version })
          : add.mutateAsync({ ...values, estateCode: estate })
      }
      onClose={onClose}
      onDone={() => {
        toast.success('已保存')
        onClose()
      }}
    />
  )
}
