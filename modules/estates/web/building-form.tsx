import { useSearchParams } from 'react-router'
import { Refused } from '#kit/contract/wire.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addBuilding, editBuilding, listBuildings, type Building } from '../contract/building.ts'
import { planUnits } from '../domain/units.ts'

const groups: readonly FormFieldGroup[] = [
  {
    title: '基本信息',
    keys: ['name', 'code', 'buildType', 'deliverDate', 'buildArea', 'elevatorCount', 'sort'],
  },
  {
    title: '单元与楼层',
    keys: [
      'units',
      'unitType',
      { key: 'unitNames', wide: true },
      { key: 'floors', wide: true },
      'undergroundFloors',
    ],
  },
  { title: '其他', keys: ['remark'] },
]

/** What the form's words mean, before anything is saved: the units with their floors (BASE-2). */
function PlannedUnits({ of }: { readonly of: Partial<Building> }) {
  if (!of.units || !of.floors?.length) return null
  try {
    const planned = planUnits({
      units: of.units,
      unitType: of.unitType ?? 'number',
      unitNames: of.unitNames,
      floors: of.floors,
      undergroundFloors: of.undergroundFloors,
    })
    return (
      <p className="ask-note">
        将有 {planned.length} 个单元：
        {planned
          .slice(0, 12)
          .map(u => `${u.name}（${u.floors} 层${u.underground ? `，地下 ${u.underground} 层` : ''}）`)
          .join('、')}
        {planned.length > 12 ? ' …' : ''}
      </p>
    )
  } catch (e) {
    return <p className="ask-note bad">{e instanceof Refused ? e.message : ''}</p>
  }
}

const renderPlannedUnits = (v: Partial<Building>) => <PlannedUnits of={v} />

export function AddBuildingPage() {
  const add = useSend(addBuilding, { quiet: true })
  const tab = useTab()
  return (
    <FormPage
      shape={addBuilding.input}
      title="新增楼栋"
      groups={groups}
      draftKey="building/new"
      submitLabel="新增楼栋"
      below={renderPlannedUnits as never}
      save={v => add.mutateAsync(v)}
      onDone={() => {
        toast.success('已新增楼栋，接下来可以批量生成房间')
        tab.close()
      }}
    />
  )
}

const fetchBuilding = async (id: number): Promise<Building | undefined> =>
  (await send(listBuildings, { id }, { project: 0 })).rows[0]

export function EditBuildingPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const edit = useSend(editBuilding, { quiet: true })
  const tab = useTab()
  const found = useCall(listBuildings, { id }, { quiet: true, project: 0, enabled: id > 0 })
  const one = found.data?.rows[0]
  useTabTitle(one && `编辑 ${one.name}`)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (found.data && !one)
    return <ErrorState error={new Error('数据不存在或已被删除')} onRetry={() => void found.refetch()} />
  if (!one) return <RowSkeleton rows={8} />
  return (
    <FormPage
      shape={editBuilding.input}
      title={`编辑楼栋「${one.name}」`}
      groups={groups}
      initial={one}
      draftKey={`building/${one.id}`}
      below={renderPlannedUnits as never}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await fetchBuilding(id)) })}
      onDone={() => {
        toast.success('已保存楼栋')
        tab.close()
      }}
    />
  )
}
