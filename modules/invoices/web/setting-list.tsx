import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { invoiceChannel, invoiceKind, prestoreMode } from '../contract/choices.ts'
import { listSettings, type InvoiceSetting } from '../contract/setting.ts'
import { menu } from '../module.ts'

const SettingDialog = lazyComponent(() => import('./setting-dialog.tsx').then(m => m.SettingDialog))

function ChannelStatus({ setting }: { readonly setting: InvoiceSetting }) {
  if (setting.channel === 'manual') return <Status tone="open">手工登记</Status>
  if (setting.simulated) return <Status tone="todo">模拟渠道，不产生真实发票</Status>
  return <Status tone="done">{labelOf(invoiceChannel, setting.channel)}</Status>
}

const describeSetting = (
  setting: InvoiceSetting,
): readonly (readonly [label: string, value: ReactNode])[] => [
  ['销方', setting.companyName],
  ['税号', setting.taxNo],
  ['地址电话', setting.address ?? '--'],
  ['开户行账号', setting.bank ?? '--'],
  ['开票人', setting.drawer],
  ['可开票种', setting.kinds.map(kind => labelOf(invoiceKind, kind)).join('、')],
  ['单张限额', setting.limitAmount === undefined ? '不限' : displayYuanWithSymbol(setting.limitAmount)],
  ['预存开票', labelOf(prestoreMode, setting.prestoreMode)],
  ['明年账期', setting.refuseNextYear ? '不预开' : '可以预开'],
  ['部分缴费', setting.paidUpOnly ? '账单缴清才开票' : '按实缴金额开票'],
  ...(setting.channel === 'platform' && !setting.simulated
    ? ([
        ['平台地址', setting.apiBase ?? '--'],
        ['平台密钥', setting.hasStoredKey ? '已保存，不显示' : '--'],
      ] as const)
    : []),
]

function SettingCard({
  setting,
  name,
  onEdit,
}: {
  readonly setting: InvoiceSetting
  readonly name: string
  readonly onEdit: (() => void) | undefined
}) {
  return (
    <section>
      <h2>
        {name}
        <ChannelStatus setting={setting} />
        <span />
        {onEdit && <Button onClick={onEdit}>修改</Button>}
      </h2>
      <dl>
        {describeSetting(setting).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function AddButtons({
  settings,
  project,
  onAdd,
}: {
  readonly settings: readonly InvoiceSetting[]
  readonly project: string | undefined
  readonly onAdd: (scope: 'company' | 'project') => void
}) {
  const hasCompany = settings.some(setting => !setting.estateCode)
  const hasProject = settings.some(setting => setting.estateCode === project)
  return (
    <p>
      {!hasCompany && (
        <Button type="primary" onClick={() => onAdd('company')}>
          设置全公司
        </Button>
      )}{' '}
      {project && !hasProject && <Button onClick={() => onAdd('project')}>当前项目单独设置</Button>}
    </p>
  )
}

/** Who sells, by which platform, and the switches of INV-2 and INV-6. */
export function SettingList() {
  const settingsCall = useCall(listSettings, {}, { quiet: true, project: 0 })
  const estates = useCall(listEstates, { page: 1, size: 1000 }, { quiet: true, project: 0 }).data?.rows ?? []
  const hasPermission = usePermission()
  const projectCode = useSession(session => session.project?.code)
  const project = projectCode === '0' ? undefined : projectCode
  const [edited, setEdited] = useState<InvoiceSetting | 'company' | 'project'>()
  if (settingsCall.isError)
    return <ErrorState error={settingsCall.error} onRetry={() => void settingsCall.refetch()} />
  const settings = settingsCall.data
  if (!settings)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const nameOf = ({ estateCode }: InvoiceSetting): string =>
    estateCode ? (estates.find(estate => estate.projectCode === estateCode)?.name ?? estateCode) : '全公司'
  const canEdit = hasPermission(menu.setting.permissions.edit)
  return (
    <div className="invoice-sets">
      {settings.map(setting => (
        <SettingCard
          key={setting.id}
          setting={setting}
          name={nameOf(setting)}
          onEdit={canEdit ? () => setEdited(setting) : undefined}
        />
      ))}
      {!settings.length && <p>暂无开票设置。先填写公司的销方资料，之后可为项目单独设置。</p>}
      {hasPermission(menu.setting.permissions.add) && (
        <AddButtons settings={settings} project={project} onAdd={setEdited} />
      )}
      {edited && (
        <SettingDialog
          setting={typeof edited === 'object' ? edited : undefined}
          companySetting={settings.find(setting => !setting.estateCode)}
          estate={edited === 'project' ? project : undefined}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}
