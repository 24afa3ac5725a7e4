import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { invalidate, useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { PanelSection } from '#modules/rooms/web/public.tsx'
import { getResidentPanel } from '../contract/maintenance.ts'
import { getResident, resident, type Resident } from '../contract/resident.ts'
import { residentState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { detailGroups } from './resident-groups.ts'
import { paths } from './paths.ts'

// What stands behind a tab or a verb is fetched when it is opened: the page itself is light.
const ResidencyList = lazyComponent(
  () => import('./residencies.tsx').then(m => m.ResidencyList),
  <RowSkeleton rows={8} />,
)
const ResidencyLogList = lazyComponent(
  () => import('./residency-log.tsx').then(m => m.ResidencyLogList),
  <RowSkeleton rows={8} />,
)
const CardList = lazyComponent(
  () => import('./identity-cards.tsx').then(m => m.CardList),
  <RowSkeleton rows={8} />,
)
const FaceList = lazyComponent(
  () => import('./identity-cards.tsx').then(m => m.FaceList),
  <RowSkeleton rows={8} />,
)
const MobileDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.MobileDialog))
const BlockDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.BlockDialog))
const ResidentWechatDialog = lazyComponent(() =>
  import('./wechat-dialog.tsx').then(m => m.ResidentWechatDialog),
)

/** A section from each module; the person's own facts stand beside them. */
function PanelSections({ id }: { readonly id: number }) {
  const panel = useCall(getResidentPanel, { id }, { keepPrevious: true, quiet: true })
  if (panel.isError) return <ErrorState error={panel.error} onRetry={() => void panel.refetch()} />
  if (!panel.data) return <RowSkeleton rows={8} />
  return (
    <div className="room-sections">
      {panel.data.sections
        .filter(s => s.key !== 'facts')
        .map(s => (
          <PanelSection section={s as never} key={s.key} />
        ))}
    </div>
  )
}

/** 一人一档. */
export default function ResidentDetailPage() {
  const navigate = useNavigate()
  const may = usePermission()
  const [open, setOpen] = useState<{ readonly what: 'mobile' | 'block' | 'wechat'; readonly of: Resident }>()
  const close = (): void => setOpen(undefined)
  return (
    <DetailPage
      loadCall={getResident}
      title={r => r.name}
      status={r =>
        r.isBlock ? (
          <Status tone="bad">黑名单</Status>
        ) : (
          <ChoiceStatus choices={residentState} value={r.state} />
        )
      }
      groups={detailGroups}
      historyEntity={resident.name}
      tabs={[
        { key: 'all', label: '一人一档', body: r => <PanelSections id={r.id} /> },
        { key: 'homes', label: '房屋', body: r => <ResidencyList embedded fixed={{ userId: r.id }} /> },
        ...(may(menu.card.permissions.view)
          ? [
              { key: 'cards', label: '门禁卡', body: (r: Resident) => <CardList userId={r.id} /> },
              { key: 'faces', label: '人脸', body: (r: Resident) => <FaceList userId={r.id} /> },
            ]
          : []),
        { key: 'moves', label: '住户变动', body: r => <ResidencyLogList userId={r.id} /> },
      ]}
      actions={r => [
        {
          label: '编辑',
          needs: menu.resident.permissions.edit,
          run: () => navigate(`${paths.edit}?id=${r.id}`),
        },
        {
          label: '入住',
          needs: menu.resident.permissions.add,
          run: () => navigate(`${paths.moveIn}?user=${r.id}`),
        },
        {
          label: '变更手机号',
          needs: menu.resident.permissions.mobile,
          run: () => setOpen({ what: 'mobile', of: r }),
        },
        r.wechatBind
          ? {
              label: '解除微信绑定',
              needs: menu.resident.permissions.edit,
              danger: true,
              run: async () => (await import('./wechat-dialog.tsx')).confirmUnbindWechat(r),
            }
          : {
              label: '绑定微信',
              needs: menu.resident.permissions.edit,
              run: () => setOpen({ what: 'wechat', of: r }),
            },
        {
          label: r.isBlock ? '移出黑名单' : '加入黑名单',
          needs: menu.block.permissions.edit,
          run: () => setOpen({ what: 'block', of: r }),
        },
      ]}
      footer={
        <>
          {open?.what === 'mobile' && <MobileDialog of={open.of} onClose={close} />}
          {open?.what === 'wechat' && (
            <ResidentWechatDialog
              of={open.of}
              onClose={close}
              onDone={() => {
                close()
                void invalidate(['resident'])
              }}
            />
          )}
          {open?.what === 'block' && <BlockDialog of={open.of} onClose={close} />}
        </>
      }
    />
  )
}
