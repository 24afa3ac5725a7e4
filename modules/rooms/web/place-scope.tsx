import { useState } from 'react'
import { useQueryState } from '#kit/web/list/query.ts'
import { useNames } from '#kit/web/refs.ts'
import { FloorPicker, floorWord, unitWord } from '#modules/estates/web/public.tsx'
import { listRooms } from '../contract/room.ts'
import './rooms.css'

/** The place that the list is narrowed to: a unit or a floor, chosen in the tree of buildings. */
export function PlaceScope({ project }: { readonly project: string | undefined }) {
  const [q, setQ] = useQueryState(listRooms, false), [open, setOpen] = useState(false), { buildCode, unitName, floorNum } = q.filter as { buildCode?: readonly string[]; unitName?: string; floorNum?: number }
  const given = { projectCode: project }, names = useNames('building', buildCode ?? [], given)
  if (!project) return null
  const narrowed = unitName !== undefined || floorNum !== undefined, put = (to: { buildCode?: readonly string[]; unitName?: string; floorNum?: number }): void => setQ({ filter: { ...q.filter, buildCode: undefined, unitName: undefined, floorNum: undefined, ...to } })
  const words = [buildCode?.map(b => names.get(b) ?? b).join('、'), unitName && unitWord(unitName), floorNum !== undefined && floorWord(floorNum)].filter(Boolean).join(' › ')
  return (
    <div className="place-scope">
      <span>位置：</span>
      {narrowed ? <b>{words}</b> : <span>{words || '全部楼栋'}</span>}
      <button type="button" className="linkish" onClick={() => setOpen(true)}>选单元、楼层</button>
      {narrowed && <button type="button" className="linkish" onClick={() => put({})}>看全部</button>}
      {open && (
        <FloorPicker
          projectCode={project} many={false} depth="any" value={buildCode?.length === 1 ? [{ buildCode: buildCode[0]!, ...(unitName ? { unitName } : {}), ...(floorNum !== undefined ? { floorNum } : {}) }] : []}
          onDone={got => { setOpen(false); const g = got?.[0]; if (g) put({ buildCode: [g.buildCode], ...(g.unitName ? { unitName: g.unitName } : {}), ...(g.floorNum !== undefined ? { floorNum: g.floorNum } : {}) }) }}
        />
      )}
    </div>
  )
}
