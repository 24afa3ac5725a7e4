import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { columns } from '#kit/web/columns.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { Choice, Status } from '#kit/web/status.tsx'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { addResident, listResidents, oneResident, resident, type Resident } from '../contract/resident.ts'
import { exportResidents, importResidents } from '../contract/transfer.ts'
import { residentState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { askGroups, shownGroups } from './groups.ts'
import { places, seePerson } from './places.ts'
import { removeResidents } from './remove.ts'
import { Same } from './same.tsx'

const shown = columns(listResidents.output, [
  { key: 'name', identity: true },
  { key: 'mobile', width: 124, fit: true },
  { key: 'certType', drop: 1 },
  { key: 'certNo', width: 170 },
  { key: 'gender', drop: 1 },
  { key: 'birthday', drop: 1 },
  { key: 'workUnit', drop: 2 },
  { key: 'estateName', title: '登记项目', drop: 2 },
  'source',
  { key: 'createTime', title: '登记时间', aside: true },
  'state',
])

const views = [
  { id: '', name: '全部人员', filter: {} },
  { id: 'homeless', name: '无房屋', filter: { homeless: true } },
  { id: 'firm', name: '企业', filter: { userType: ['firm'] } },
  { id: 'gone', name: '已注销', filter: { state: ['gone'] } },
]

/** The people themselves, whatever rooms they have. */
export function BaseUsersPage() {
  const navigate = useNavigate()
  const project = useProject()
  const verbs = (r: Resident): Verbs => [
    { label: '编辑', may: menu.resident.may.edit, run: () => navigate(`${places.edit}?id=${r.id}`) },
    { label: '入住', may: menu.resident.may.add, run: () => navigate(`${places.moveIn}?user=${r.id}`) },
    { label: '查看详情', may: menu.resident.may.view, run: () => navigate(seePerson(r.id)) },
    removeResidents.row(r),
  ]
  return (
    <ListPage
      list={listResidents}
      what="人员"
      name="residents/base"
      sought="姓名/手机/房间/拼音"
      columns={shown}
      filters={[
        'certType',
        'gender',
        'userType',
        'birthday',
        'source',
        'state',
        'homeless',
        'tag',
        'createTime',
      ]}
      bar={['source', 'gender']}
      views={views}
      import={project ? importResidents : undefined}
      importGiven={{ projectCode: project }}
      export={exportResidents}
      primary={{ label: '新增人员', may: menu.resident.may.add, run: () => navigate(places.addPerson) }}
      row={verbs}
      batch={[removeResidents.batch]}
      dim={r => r.state === 'gone'}
      drawer={{
        title: r => r.name,
        status: r =>
          r.isBlock ? <Status tone="bad">黑名单</Status> : <Choice of={residentState} value={r.state} />,
        one: oneResident,
        groups: shownGroups,
        history: resident.name,
        page: r => void navigate(seePerson(r.id)),
        verbs,
      }}
    />
  )
}

/** A person alone; rooms come later, by 入住. */
export function AddBaseUserPage() {
  const add = useSend(addResident, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const project = useProject()
  const initial = useMemo(() => (project ? { homeProject: project } : {}), [project])
  const groups = useMemo(() => (project ? askGroups : [{ keys: ['homeProject'] }, ...askGroups]), [project])
  return (
    <FormPage
      key={project}
      of={addResident.input}
      title="新增基础人员"
      groups={groups}
      initial={initial}
      draft="person/new"
      words="新增人员"
      below={v => <Same of={v} link={false} />}
      save={v => add.mutateAsync({ ...initial, ...v })}
      onDone={a => {
        const made = a as Resident
        toast.success(`已新增人员「${made.name}」`)
        tab.close()
        void navigate(seePerson(made.id))
      }}
    />
  )
}
