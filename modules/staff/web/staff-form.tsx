import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addStaff, editStaff, getStaff, type Staff } from '../contract/staff.ts'
import { formGroups } from './field-groups.tsx'
import { getStaffDetailPath } from './paths.ts'

export function AddStaffPage() {
  const add = useSend(addStaff, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const [at] = useSearchParams()
  const department = Number(at.get('dept')) || undefined
  const initial = useMemo(
    () => ({
      state: 'active' as const,
      gender: 'unknown' as const,
      isTicketSeller: false,
      ...(department ? { departmentId: department } : {}),
    }),
    [department],
  )
  return (
    <FormPage
      shape={addStaff.input}
      title="新增员工"
      groups={formGroups}
      initial={initial}
      draftKey="staff/new"
      submitLabel="新增员工"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        const made = a as Staff
        toast.success(`已新增员工「${made.name}」`)
        tab.close()
        void navigate(getStaffDetailPath(made.id))
      }}
    />
  )
}

export function EditStaffPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(getStaff, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editStaff, { quiet: true })
  const tab = useTab()
  const s = one.data
  useTabTitle(s && `编辑 ${s.name}`)
  if (id <= 0)
    return <ErrorState error={new Error('地址里没有要编辑的员工编号')} onRetry={() => location.reload()} />
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!s) return <RowSkeleton rows={8} />
  return (
    <FormPage
      key={s.id}
      shape={editStaff.input}
      title={`编辑员工「${s.name}」`}
      groups={formGroups}
      initial={s}
      draftKey={`staff/${s.id}`}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getStaff, { id })) })}
      onDone={a => {
        toast.success(`已保存员工「${(a as Staff).name}」`)
        tab.close()
      }}
    />
  )
}
