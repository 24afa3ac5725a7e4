import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { inUse } from '#modules/estates/contract/estate.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { deleteParks, editPark, listParks, onePark, park, parkFigures, type Park } from '../contract/park.ts'
import { menu } from '../module.ts'
import { Figures, PlacesByState, figureColumns, placesOf } from './figures.tsx'

export const removePark = withReason<Park>(deleteParks, {
  what: '个停车场',
  name: p => p.name,
  follows: ['停车场内还有车位时不能删除'],
  presets: ['录入有误', '重复录入', '已停用拆除'],
})

const see = (p: Park): string => `/service/data/parklots/parklotsDetail?id=${p.id}`

export default function ParksPage() {
  const navigate = useNavigate()
  const project = useProject()
  const figures = useCall(parkFigures, project ? { projectCode: project } : {}, { quiet: true })
  const form = useEdit({
    what: '停车场',
    edit: editPark,
    one: onePark,
    name: (p: Park) => p.name,
    as: 'drawer',
  })
  const shown = useMemo(
    () =>
      columns(listParks.output, [
        { key: 'name', identity: true },
        { key: 'code', drop: 1 },
        { key: 'estateName', drop: 2 },
        'parkType',
        'totalPlace',
        'reservedPlace',
        'tempPlace',
        ...figureColumns(new Map((figures.data ?? []).map(f => [f.id, f]))),
        'state',
      ]),
    [figures.data],
  )
  const verbs = (p: Park): Verbs => [
    form.edit(p),
    { label: '看车位', may: menu.place.may.view, run: () => navigate(placesOf(p.id)) },
  ]
  return (
    <>
      <ListPage
        list={listParks}
        what="停车场"
        columns={shown}
        bar={['parkType', 'state']}
        primary={{
          label: '新增停车场',
          may: menu.park.may.add,
          run: () => navigate('/service/data/parklots/addparklots'),
        }}
        row={p => [
          ...verbs(p),
          { label: '查看详情', may: menu.park.may.view, run: () => navigate(see(p)) },
          removePark.row(p),
        ]}
        batch={[removePark.batch]}
        dim={p => p.state === 'off'}
        drawer={{
          title: p => p.name,
          status: p => <Choice of={inUse} value={p.state} />,
          above: p => <Figures id={p.id} />,
          one: onePark,
          history: park.name,
          page: p => void navigate(see(p)),
          more: p => <PlacesByState park={p} />,
          verbs: p => [
            ...verbs(p),
            { label: '查看详情', may: menu.park.may.view, run: () => navigate(see(p)) },
            removePark.row(p),
          ],
        }}
      />
      {form.dialog}
    </>
  )
}
