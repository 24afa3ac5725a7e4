import { readChoice, readText, readTexts } from '#kit/web/controls/read-value.ts'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ControlProps, Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { useRefNames } from '#kit/web/refs.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { RoomPicker, type PickedRoom, type RoomScene } from '#modules/rooms/web/public.tsx'
import { sourceType } from '../contract/choices.ts'

export type SourceType = keyof typeof sourceType.rows

/** Rooms, shops or public areas out of the tree, kept by their codes. */
const createTreeControl = (scene: RoomScene, word: string, entity: string): Control =>
  function Picked(props: ControlProps) {
    const chosen = useProject()
    const project = readText(props.formValues.projectCode) ?? chosen
    const [open, setOpen] = useState(false)
    const [known, setKnown] = useState<ReadonlyMap<string, PickedRoom>>(new Map())
    const codes = readTexts(props.value)
    const names = useRefNames(entity, codes.filter(c => !known.has(c)).slice(0, 200), {
      projectCode: project,
    })
    const shown = codes.slice(0, 60)
    return (
      <div id={props.id} role="group" aria-label={props.field.label} className="object-tags">
        {shown.map(c => (
          <Tag key={c} closable={!props.disabled} onClose={() => props.onChange(codes.filter(x => x !== c))}>
            {known.get(c)?.path ?? names.get(c) ?? c}
          </Tag>
        ))}
        {codes.length > shown.length && <span>等 {codes.length} 个</span>}
        <Button
          size="small"
          disabled={props.disabled || !project}
          title={project ? undefined : '请先选择项目'}
          onClick={() => setOpen(true)}
        >
          选择{word}
        </Button>
        {open && (
          <RoomPicker
            scene={scene}
            many
            max={2000}
            projectCode={project}
            value={codes}
            onDone={picked => {
              setOpen(false)
              if (picked) {
                setKnown(new Map(picked.map(r => [r.code, r])))
                props.onChange(picked.map(r => r.code))
              }
              props.onBlur()
            }}
          />
        )}
      </div>
    )
  }

/** What has no tree of its own is searched by its name. */
const createSearchControl =
  (entity: string): Control =>
  props => (
    <RefSelect
      field={{ ...props.field, target: entity, targetBy: 'key' }}
      multiple
      id={props.id}
      value={props.value}
      formValues={props.formValues}
      disabled={props.disabled}
      status={props.invalid ? 'error' : undefined}
      describedBy={props.describedBy}
      onBlur={props.onBlur}
      onChange={props.onChange}
    />
  )

const controlsByType: Readonly<Partial<Record<SourceType, Control>>> = {
  room: createTreeControl('roomShop', '房屋', 'room'),
  publicArea: createTreeControl('area', '公共区域', 'feeArea'),
  parkPlace: createSearchControl('feePlace'),
  car: createSearchControl('feeCar'),
  company: createSearchControl('feeCompany'),
}

/** The objects of a binding, as its type is chosen. */
export function ObjectsControl(p: ControlProps) {
  const Of = controlsByType[readChoice(sourceType, p.formValues.sourceType) ?? 'room']
  return Of ? <Of {...p} /> : null
}
