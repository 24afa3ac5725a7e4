import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { addPackage, deletePackages, editPackage, listPackages, onePackage } from '../contract/package.ts'
import { feePackage, type FeePackage } from '../contract/relation.ts'
import { menu } from '../module.ts'
import { places } from './places.ts'
import { manyOf } from './price.tsx'

const remove = withReason<FeePackage>(deletePackages, {
  what: '个套餐',
  name: p => p.name,
  follows: ['已经绑定的收费关联不受影响'],
  presets: ['不再使用', '录入有误'],
})

const shown = columns(listPackages.output, [
  { key: 'name', identity: true },
  { key: 'standardNames', title: '收费标准', width: 420, grow: 2, align: 'left' },
  { key: 'remark', title: '备注' },
  'createTime',
])

const Standards = manyOf('feeStandard')

const groups = [
  {
    keys: ['name', { key: 'standardIds', control: Standards, help: '同一收费项目只能选一个标准' }, 'remark'],
  },
]

/** 套餐 (FEE-10). */
export function Packages() {
  const navigate = useNavigate()
  const form = useEdit({
    what: '套餐',
    add: addPackage,
    edit: editPackage,
    one: onePackage,
    rowIsWhole: true,
    name: (p: FeePackage) => p.name,
    groups,
  })
  const verbs = (p: FeePackage): Verbs => [
    form.edit(p),
    {
      label: '批量绑定',
      may: menu.relation.may.batch,
      run: () => navigate(`${places.bind}?package=${p.id}`),
    },
    remove.row(p),
  ]
  return (
    <>
      <ListPage
        list={listPackages}
        what="套餐"
        name="fees/packages"
        columns={shown}
        filters={['createTime']}
        primary={form.add}
        row={verbs}
        batch={[remove.batch]}
        drawer={{
          title: p => p.name,
          one: onePackage,
          groups: [{ keys: ['standardNames', 'remark', 'createTime', 'updateTime'] }],
          history: feePackage.name,
          verbs,
        }}
      />
      {form.dialog}
    </>
  )
}
