import { parseId } from '#kit/domain/id.ts'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { invalidate, useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { getResident, resident as residentEntity, type Resident } from '../contract/resident.ts'
import { residentState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { detailGroups } from './resident-groups.ts'
import { paths, residencyPath } from './paths.ts'
import { holderLinks } from './public.holder-rights.ts'
import { PanelSections } from './panel-sections.tsx'

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
  () => import('./face-keys.tsx').then(m => m.FaceList),
  <RowSkeleton rows={8} />,
)
const FingerList = lazyComponent(
  () => import('./fingerprints.tsx').then(m => m.FingerList),
  <RowSkeleton rows={3} />,
)
const MobileDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.MobileDialog))
const BlockDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.BlockDialog))
const ResidentWechatDialog = lazyComponent(() =>
  import('./wechat-dialog.tsx').then(m => m.ResidentWechatDialog),
)

/** The address may ask for the change of the telephone at once: the palette leads here. */
function useOpenedDialog(openMobile: (resident: Resident) => void): void {
  const [params, setParams] = useSearchParams()
  const id = parseId(params.get('id'))
  const asked = params.get('do') === 'mobile' && id > 0
  const { data } = useCall(getResident, { id }, { enabled: asked, quiet: true })
  useEffect(() => {
    if (asked && data) {
      openMobile(data)
      setParams({ id: String(id) }, { replace: true })
    }
  }, [asked, data])
}

/** 一人一档. */
export default function ResidentDetailPage() {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  const links = holderLinks.useAll()
  const [linksOf, setLinksOf] = useState<{ readonly index: number; readonly resident: Resident }>()
  const LinksDialog = linksOf && links[linksOf.index]?.Dialog
  const [open, setOpen] = useState<{
    readonly kind: 'mobile' | 'block' | 'wechat'
    readonly resident: Resident
  }>()
  const closeDialog = (): void => setOpen(undefined)
  useOpenedDialog(resident => setOpen({ kind: 'mobile', resident }))
  return (
    <DetailPage
      loadCall={getResident}
      title={resident => resident.name}
      status={resident =>
        resident.isBlock ? (
          <Status tone="bad">黑名单</Status>
        ) : (
          <ChoiceStatus choices={residentState} value={resident.state} />
        )
      }
      groups={detailGroups}
      historyEntity={residentEntity.name}
      tabs={[
        { key: 'all', label: '一人一档', body: resident => <PanelSections id={resident.id} /> },
        {
          key: 'homes',
          label: '房屋',
          body: resident => <ResidencyList embedded fixed={{ userId: resident.id }} />,
        },
        ...(hasPermission(menu.card.permissions.view)
          ? [
              {
                key: 'cards',
                label: '门禁卡',
                body: (resident: Resident) => <CardList userId={resident.id} />,
              },
              {
                key: 'faces',
                label: '人脸',
                body: (resident: Resident) => <FaceList userId={resident.id} />,
              },
              {
                key: 'fingers',
                label: '指纹',
                body: (resident: Resident) => <FingerList resident={resident} />,
              },
            ]
          : []),
        { key: 'moves', label: '住户变动', body: resident => <ResidencyLogList userId={resident.id} /> },
      ]}
      actions={resident => [
        {
          label: '编辑',
          needs: menu.resident.permissions.edit,
          run: () => navigate(`${paths.edit}?id=${resident.id}`),
        },
        {
          label: '入住',
          needs: menu.resident.permissions.add,
          run: () => navigate(`${paths.moveIn}?user=${resident.id}`),
        },
        {
          label: '变更手机号',
          needs: menu.resident.permissions.mobile,
          run: () => setOpen({ kind: 'mobile', resident }),
        },
        resident.wechatBind
          ? {
              label: '解除微信绑定',
              needs: menu.resident.permissions.edit,
              danger: true,
              run: async () => (await import('./wechat-dialog.tsx')).confirmUnbindWechat(resident),
            }
          : {
              label: '绑定微信',
              needs: menu.resident.permissions.edit,
              run: () => setOpen({ kind: 'wechat', resident }),
            },
        {
          label: resident.isBlock ? '移出黑名单' : '加入黑名单',
          needs: menu.block.permissions.edit,
          run: () => setOpen({ kind: 'block', resident }),
        },
        ...links.map(({ label, needs }, index) => ({
          label,
          needs,
          run: () => setLinksOf({ index, resident }),
        })),
        {
          label: '过户与迁出',
          needs: menu.link.permissions.transfer,
          run: () => navigate(residencyPath(resident.id)),
        },
      ]}
      footer={
        <>
          {LinksDialog && <LinksDialog userId={linksOf.resident.id} onClose={() => setLinksOf(undefined)} />}
          {open?.kind === 'mobile' && <MobileDialog resident={open.resident} onClose={closeDialog} />}
          {open?.kind === 'wechat' && (
            <ResidentWechatDialog
              resident={open.resident}
              onClose={closeDialog}
              onDone={() => {
                closeDialog()
                void invalidate(['resident'])
              }}
            />
          )}
          {open?.kind === 'block' && <BlockDialog resident={open.resident} onClose={closeDialog} />}
        </>
      }
    />
  )
}
