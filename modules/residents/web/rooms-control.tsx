import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { MultiRoomPicker, type PickedRoom } from '#modules/rooms/web/public.tsx'

/** A room that is known by its id alone, by its name. */
function RoomName({ id }: { readonly id: string }) {
  const one = useCall(getRoom, { id: Number(id) }, { quiet: true })
  return <>{one.data?.path ?? '…'}</>
}

/** Several rooms, chosen in the tree, kept by id. */
export function RoomsControl(p: ControlProps) {
  const project = useProject()
  const [open, setOpen] = useState(false)
  const [known, setKnown] = useState<readonly PickedRoom[]>([])
  const ids = (p.value as readonly string[] | undefined) ?? []
  const of = (id: string): PickedRoom | undefined => known.find(k => String(k.id) === id)
  return (
    <div id={p.id} role="group" aria-label={p.field.label}>
      {ids.map(id => (
        <Tag key={id} closable={!p.disabled} onClose={() => p.onChange(ids.filter(x => x !== id))}>
          {of(id)?.path ?? <RoomName id={id} />}
        </Tag>
      ))}
      <Button size="small" disabled={p.disabled} onClick={() => setOpen(true)}>
        选择房屋
      </Button>
      {open && (
        <MultiRoomPicker
          max={p.field.max}
          projectCode={(p.formValues.projectCode as string | undefined) ?? project}
          value={ids.flatMap(id => of(id)?.code ?? [])}
          onDone={got => {
            setOpen(false)
            if (got) {
              setKnown(got)
              p.onChange([...new Set([...ids.filter(id => !of(id)), ...got.map(r => String(r.id))])])
            }
            p.onBlur()
          }}
        />
      )}
    </div>
  )
}
