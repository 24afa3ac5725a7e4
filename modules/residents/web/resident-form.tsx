import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { addResident, editResident, getResident } from '../contract/resident.ts'
import { formGroups } from './resident-groups.ts'
import { RoomLinesControl } from './line-controls.tsx'
import { residentPath } from './paths.ts'
import { SameResidentsNotice } from './same-residents-notice.tsx'

const addGroups: readonly FormFieldGroup[] = [
  defined(formGroups[0]),
  {
    title: '房屋',
    keys: [
      {
        key: 'rooms',
        control: RoomLinesControl,
        help: '可以同时登记多套；不填入住日期只登记关系，不改变房态',
      },
      { key: 'linkExisting', help: '手机号或证件号与已有住户相同时，房屋登记到该住户名下' },
    ],
  },
  defined(formGroups[1]),
]

export function AddResidentPage() {
  const add = useSend(addResident, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const project = useProject()
  const initial = useMemo(() => (project ? { homeProject: project } : {}), [project])
  const groups = useMemo(() => (project ? addGroups : [{ keys: ['homeProject'] }, ...addGroups]), [project])
  return (
    <FormPage
      key={project}
      shape={addResident.input}
      title="新增住户"
      groups={groups}
      initial={initial}
      draftKey="resident/new"
      submitLabel="新增住户"
      below={values => <SameResidentsNotice person={values} />}
      save={values => add.mutateAsync({ ...initial, ...values })}
      onDone={created => {
        toast.success(`已新增住户「${created.name}」`)
        tab.close()
        void navigate(residentPath(created.id))
      }}
    />
  )
}

export function EditResidentPage() {
  const edit = useSend(editResident, { quiet: true })
  const tab = useTab()
  const {
    id,
    record: person,
    placeholder,
  } = useAddressedRecord(getResident, { tabTitle: r => `编辑 ${r.name}` })
  const groups = useMemo(
    () => [defined(formGroups[0]), { title: '更多资料', keys: [...defined(formGroups[1]).keys, 'state'] }],
    [],
  )
  if (!person) return placeholder
  return (
    <FormPage
      key={person.id}
      shape={editResident.input}
      title={`编辑住户「${person.name}」`}
      groups={groups}
      initial={person}
      draftKey={`resident/${person.id}`}
      save={values => edit.mutateAsync(values)}
      loadCurrent={async () => ({ ...(await send(getResident, { id })) })}
      below={values => <SameResidentsNotice person={values} />}
      onDone={saved => {
        toast.success(`已保存住户「${saved.name}」`)
        tab.close()
      }}
    />
  )
}
