import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { addResident, listResidents, getResident, resident, type Resident } from '../contract/resident.ts'
import { exportResidents, importResidents } from '../contract/import-export.ts'
import { residentState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { formGroups, detailGroups } from './resident-groups.ts'
import { bindStandardsAction, paths, personPath } from './paths.ts'
import { deleteResidentsAction } from './delete-residents-action.ts'
import { SameResidentsNotice } from './same-residents-notice.tsx'

const listColumns = buildColumns(listResidents.output, [
  { key: 'name', identity: true },
  { key: 'mobile', width: 124, fitContent: true },
  { key: 'certType', hidePriority: 1 },
  { key: 'certNo', width: 170 },
  { key: 'gender', hidePriority: 1 },
  { key: 'birthday', hidePriority: 1 },
  { key: 'workUnit', hidePriority: 2 },
  { key: 'estateName', hidePriority: 2 },
  'source',
  { key: 'createTime', title: '登记时间', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '全部人员', filter: {} },
  { id: 'homeless', name: '无房屋', filter: { withoutHome: true } },
  { id: 'firm', name: '企业', filter: { userType: ['firm'] } },
  { id: 'cancelled', name: '已注销', filter: { state: ['cancelled'] } },
]

/** The people themselves, whatever rooms they have. */
export function BaseUsersPage() {
  const navigate = useNavigate()
  const project = useProject()
  const rowActions = (person: Resident): Actions => [
    {
      label: '编辑',
      needs: menu.resident.permissions.edit,
      run: () => navigate(`${paths.edit}?id=${person.id}`),
    },
    {
      label: '入住',
      needs: menu.resident.permissions.add,
      run: () => navigate(`${paths.moveIn}?user=${person.id}`),
    },
    { label: '查看详情', needs: menu.resident.permissions.view, run: () => navigate(personPath(person.id)) },
    deleteResidentsAction.row(person),
  ]
  return (
    <ListPage
      list={listResidents}
      itemName="人员"
      settingsKey="residents/base"
      keywordPlaceholder="姓名/手机/房间/拼音"
      columns={listColumns}
      filters={[
        'certType',
        'gender',
        'userType',
        'birthday',
        'source',
        'state',
        'withoutHome',
        'tag',
        'createTime',
      ]}
      barFilters={['source', 'gender']}
      views={views}
      import={project ? importResidents : undefined}
      importInput={{ projectCode: project }}
      afterImport={bindStandardsAction()}
      export={exportResidents}
      primaryAction={{
        label: '新增人员',
        needs: menu.resident.permissions.add,
        run: () => navigate(paths.addPerson),
      }}
      rowActions={rowActions}
      batchActions={[deleteResidentsAction.batch]}
      isDimmed={person => person.state === 'cancelled'}
      drawer={{
        title: person => person.name,
        status: person =>
          person.isBlock ? (
            <Status tone="bad">黑名单</Status>
          ) : (
            <ChoiceStatus choices={residentState} value={person.state} />
          ),
        loadCall: getResident,
        groups: detailGroups,
        historyEntity: resident.name,
        openAsPage: person => void navigate(personPath(person.id)),
        actions: rowActions,
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
  const groups = useMemo(() => (project ? formGroups : [{ keys: ['homeProject'] }, ...formGroups]), [project])
  return (
    <FormPage
      key={project}
      shape={addResident.input}
      title="新增基础人员"
      groups={groups}
      initial={initial}
      draftKey="person/new"
      submitLabel="新增人员"
      below={values => <SameResidentsNotice person={values} canLink={false} />}
      save={values => add.mutateAsync({ ...initial, ...values })}
      onDone={created => {
        toast.success(`已新增人员「${created.name}」`)
        tab.close()
        void navigate(personPath(created.id))
      }}
    />
  )
}
