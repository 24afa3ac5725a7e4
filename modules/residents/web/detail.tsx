import { useState } from 'react'
import { useNavigate } from 'react-router'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { later } from '#kit/web/later.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { invalidate, useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { Choice, Status } from '#kit/web/status.tsx'
import { PanelSection } from '#modules/rooms/web/public.tsx'
import { residentPanel } from '../contract/care.ts'
import { oneResident, resident, type Resident } from '../contract/resident.ts'
import { residentState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { shownGroups } from './groups.ts'
import { places } from './places.ts'

// What stands behind a tab or a verb is fetched when it is opened: the page itself is light.
const Homes = later(() => import('./homes.tsx').then(m => m.Homes), <Skeleton rows={8} />)
const Movements = later(() => import('./movements.tsx').then(m => m.Movements), <Skeleton rows={8} />)
const Cards = later(() => import('./cards.tsx').then(m => m.Cards), <Skeleton rows={8} />)
const Faces = later(() => import('./cards.tsx').then(m => m.Faces), <Skeleton rows={8} />)
const MobileDialog = later(() => import('./care-dialogs.tsx').then(m => m.MobileDialog))
const BlockDialog = later(() => import('./care-dialogs.tsx').then(m => m.BlockDialog))
const Wechat = later(() => import('./wechat-dialog.tsx').then(m => m.ResidentWechat))

/** A section from each module; the person's own facts stand beside them. */
function Everything({ id }: { readonly id: number }) {
  const panel = useCall(residentPanel, { id }, { keep: true, quiet: true })
  if (panel.isError) return <Trouble error={panel.error} retry={() => void panel.refetch()} />
  if (!panel.data) return <Skeleton rows={8} />
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
      one={oneResident}
      title={r => r.name}
      status={r =>
        r.isBlock ? <Status tone="bad">黑名单</Status> : <Choice of={residentState} value={r.state} />
      }
      groups={shownGroups}
      history={resident.name}
      tabs={[
        { key: 'all', label: '一人一档', body: r => <Everything id={r.id} /> },
        { key: 'homes', label: '房屋', body: r => <Homes embedded fixed={{ userId: r.id }} /> },
        ...(may(menu.card.may.view)
          ? [
              { key: 'cards', label: '门禁卡', body: (r: Resident) => <Cards userId={r.id} /> },
              { key: 'faces', label: '人脸', body: (r: Resident) => <Faces userId={r.id} /> },
            ]
          : []),
        { key: 'moves', label: '住户变动', body: r => <Movements userId={r.id} /> },
      ]}
      verbs={r => [
        { label: '编辑', may: menu.resident.may.edit, run: () => navigate(`${places.edit}?id=${r.id}`) },
        { label: '入住', may: menu.resident.may.add, run: () => navigate(`${places.moveIn}?user=${r.id}`) },
        { label: '变更手机号', may: menu.resident.may.mobile, run: () => setOpen({ what: 'mobile', of: r }) },
        r.wechatBind
          ? {
              label: '解除微信绑定',
              may: menu.resident.may.edit,
              danger: true,
              run: async () => (await import('./wechat-dialog.tsx')).unbindWechat(r),
            }
          : { label: '绑定微信', may: menu.resident.may.edit, run: () => setOpen({ what: 'wechat', of: r }) },
        {
          label: r.isBlock ? '移出黑名单' : '加入黑名单',
          may: menu.block.may.edit,
          run: () => setOpen({ what: 'block', of: r }),
        },
      ]}
      below={
        <>
          {open?.what === 'mobile' && <MobileDialog of={open.of} onClose={close} />}
          {open?.what === 'wechat' && (
            <Wechat
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
