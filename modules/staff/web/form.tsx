import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabName } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addStaff, editStaff, oneStaff, type Staff } from '../contract/staff.ts'
import { askGroups } from './groups.tsx'
import { seeStaff } from './places.ts'

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
      of={addStaff.input}
      title="新增员工"
      groups={askGroups}
      initial={initial}
      draft="staff/new"
      words="新增员工"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        const made = a as Staff
        toast.success(`已新增员工「${made.name}」`)
        tab.close()
        void navigate(seeStaff(made.id))
      }}
    />
  )
}

export function EditStaffPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const one = useCall(oneStaff, { id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editStaff, { quiet: true })
  const tab = useTab()
  const s = one.data
  useTabName(s && `编辑 ${s.name}`)
  if (id <= 0)
    return <Trouble error={new Error('地址里没有要编辑的员工编号')} retry={() => location.reload()} />
  if (one.isError) return <Trouble error={one.error} retry={() => void one.refetch()} />
  if (!s) return <Skeleton rows={8} />
  return (
    <FormPage
      key={s.id}
      of={editStaff.input}
      title={`编辑员工「${s.name}」`}
      groups={askGroups}
      initial={s}
      draft={`staff/${s.id}`}
      save={v => edit.mutateAsync(v)}
      load={async () => ({ ...(await send(oneStaff, { id })) })}
      onDone={a => {
        toast.success(`已保存员工「${(a as Staff).name}」`)
        tab.close()
      }}
    />
  )
}
