import { useMemo } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { updateResidentBlock } from '../contract/block.ts'
import { changeResidentMobile } from '../contract/maintenance.ts'
import type { Resident } from '../contract/resident.ts'

interface Props {
  readonly of: Resident
  readonly onClose: () => void
}

const mobileGroups = [
  { keys: [{ key: 'mobile', help: '旧手机号下的登录与绑定会失效，需要用新号码重新绑定' }, 'reason'] },
]

/** BASE-14. */
export function MobileDialog({ of, onClose }: Props) {
  const go = useSend(changeResidentMobile, { quiet: true })
  const initial = useMemo(() => ({ id: of.id, version: of.version }), [of])
  return (
    <EditDialog
      shape={changeResidentMobile.input}
      title={`变更手机号「${of.name}」`}
      groups={mobileGroups}
      initial={initial}
      submitLabel="变更手机号"
      presentation="dialog"
      save={v => go.mutateAsync({ ...initial, ...v })}
      onClose={onClose}
      onDone={() => {
        toast.success(`已变更「${of.name}」的手机号`)
        onClose()
      }}
    />
  )
}

const blockGroups = [
  { keys: [{ key: 'scope', wide: true }, { key: 'expireDate', help: '当天仍有效；留空为永久' }, 'reason'] },
]

const unblockGroups = [{ keys: ['reason'] }]

/** Puts somebody on the list of the project, or takes him off it (BASE-15). */
export function BlockDialog({ of, onClose }: Props) {
  const go = useSend(updateResidentBlock, { quiet: true })
  const project = useProject()
  const on = of.isBlock !== true
  const code = project ?? of.homes?.[0]?.projectCode ?? of.homeProject
  const initial = useMemo(
    () => ({
      userId: of.id,
      projectCode: code,
      isBlock: on,
      ...(on ? { scope: ['visit', 'door', 'booking'] as const } : {}),
    }),
    [of, code, on],
  )
  return (
    <EditDialog
      shape={updateResidentBlock.input}
      title={`${on ? '加入' : '移出'}黑名单「${of.name}」`}
      groups={on ? blockGroups : unblockGroups}
      initial={initial}
      submitLabel={on ? '加入黑名单' : '移出黑名单'}
      presentation="dialog"
      save={v => go.mutateAsync({ ...v, userId: of.id, projectCode: code, isBlock: on })}
      onClose={onClose}
      onDone={() => {
        toast.success(`已将「${of.name}」${on ? '加入' : '移出'}黑名单`)
        onClose()
      }}
    />
  )
}
