import { useMemo } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { updateResidentBlock } from '../contract/block.ts'
import { changeResidentMobile } from '../contract/maintenance.ts'
import type { Resident } from '../contract/resident.ts'

interface Props {
  readonly resident: Resident
  readonly onClose: () => void
}

const mobileGroups = [
  { keys: [{ key: 'mobile', help: '旧手机号下的登录与绑定会失效，需要用新号码重新绑定' }, 'reason'] },
]

/** BASE-14. */
export function MobileDialog({ resident, onClose }: Props) {
  const submit = useSend(changeResidentMobile, { quiet: true })
  const initial = useMemo(() => ({ id: resident.id, version: resident.version }), [resident])
  return (
    <EditDialog
      shape={changeResidentMobile.input}
      title={`变更手机号「${resident.name}」`}
      groups={mobileGroups}
      draftKey={draftKeyOf(changeResidentMobile, resident.id)}
      initial={initial}
      submitLabel="变更手机号"
      presentation="dialog"
      save={values => submit.mutateAsync({ ...initial, ...values })}
      onClose={onClose}
      onDone={() => {
        toast.success(`已变更「${resident.name}」的手机号`)
        onClose()
      }}
    />
  )
}

const blockGroups = [{ keys: [{ key: 'scope', wide: true }, 'expireDate', 'reason'] }]

const unblockGroups = [{ keys: ['reason'] }]

/** Puts somebody on the list of the project, or takes the person off it (BASE-15). */
export function BlockDialog({ resident, onClose }: Props) {
  const submit = useSend(updateResidentBlock, { quiet: true })
  const project = useProject()
  const isAdding = resident.isBlock !== true
  const projectCode = project ?? resident.homes?.[0]?.projectCode ?? resident.homeProject
  const initial = useMemo(
    () => ({
      userId: resident.id,
      projectCode,
      isBlock: isAdding,
      ...(isAdding ? { scope: ['visit', 'access', 'booking'] as const } : {}),
    }),
    [resident, projectCode, isAdding],
  )
  return (
    <EditDialog
      shape={updateResidentBlock.input}
      title={`${isAdding ? '加入' : '移出'}黑名单「${resident.name}」`}
      draftKey={draftKeyOf(updateResidentBlock, [resident.id, isAdding])}
      groups={isAdding ? blockGroups : unblockGroups}
      initial={initial}
      submitLabel={isAdding ? '加入黑名单' : '移出黑名单'}
      presentation="dialog"
      save={values => submit.mutateAsync({ ...values, userId: resident.id, projectCode, isBlock: isAdding })}
      onClose={onClose}
      onDone={() => {
        toast.success(`已将「${resident.name}」${isAdding ? '加入' : '移出'}黑名单`)
        onClose()
      }}
    />
  )
}
