import { Button, Select } from 'antd'
import TextArea from 'antd/es/input/TextArea'
import { useState } from 'react'
import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { listBuildings } from '#modules/estates/contract/building.ts'
import { MultiRoomPicker, type PickedRoom } from '#modules/rooms/web/public.tsx'
import { audienceValueFields, maxNumbers, type AudienceValues } from '../contract/audience.ts'
import { isMobile, parseNumbers } from '../domain/numbers.ts'
import { NumberFileMember } from './number-file.tsx'

export type MemberKey = keyof AudienceValues

export interface MemberProps extends ControlProps {
  readonly memberKey: MemberKey
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Members whose kind of field has a control of its own. */
function PlainMember({ memberKey, ...props }: MemberProps) {
  const Control = controls[audienceValueFields[memberKey].kind]
  return <Control {...props} />
}

interface PlaceOption {
  readonly value: string
  readonly label: string
}

function PlaceSelect({
  props,
  options,
  isLoading,
}: {
  readonly props: MemberProps
  readonly options: readonly PlaceOption[]
  readonly isLoading: boolean
}) {
  return (
    <Select
      mode="multiple"
      id={props.id}
      aria-label={props.field.label}
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={`请选择${props.field.label}`}
      loading={isLoading}
      options={[...options]}
      value={[...textsOf(props.value)]}
      disabled={props.disabled}
      onChange={(chosen: string[]) => props.onChange(chosen)}
      onBlur={props.onBlur}
    />
  )
}

/** More are chosen by their project. */
const maxBuildings = 2000

/** Buildings of every project that the caller may see; a code is unique in its project alone. */
function BuildingsMember(props: MemberProps) {
  const found = useCall(listBuildings, { size: maxBuildings }, { quiet: true, project: 0 })
  const options = (found.data?.rows ?? []).map(building => ({
    value: `${building.projectCode}/${building.code ?? ''}`,
    label: `${building.estateName ?? ''} ${building.name}`,
  }))
  return <PlaceSelect props={props} options={options} isLoading={found.isLoading} />
}

/** Units by the names that the buildings give them. */
function UnitsMember(props: MemberProps) {
  const found = useCall(listBuildings, { size: maxBuildings }, { quiet: true, project: 0 })
  const options = (found.data?.rows ?? []).flatMap(building =>
    (building.unitNames ?? []).map(unit => ({
      value: `${building.projectCode}/${building.code ?? ''}/${unit}`,
      label: `${building.estateName ?? ''} ${building.name} ${unit}`,
    })),
  )
  return <PlaceSelect props={props} options={options} isLoading={found.isLoading} />
}

function RoomsMember(props: MemberProps) {
  const [isOpen, setOpen] = useState(false)
  const [picked, setPicked] = useState<readonly PickedRoom[]>([])
  const ids = textsOf(props.value)
  return (
    <div id={props.id} role="group" aria-label={props.field.label}>
      <Button disabled={props.disabled} onClick={() => setOpen(true)}>
        选择房屋
      </Button>{' '}
      {ids.length > 0 && `已选 ${ids.length} 间`}
      {picked.length > 0 &&
        `：${picked
          .slice(0, 5)
          .map(({ path }) => path)
          .join('、')}`}
      {picked.length > 5 && '等'}
      {isOpen && (
        <MultiRoomPicker
          max={props.field.max}
          value={picked.flatMap(room => room.code)}
          onDone={chosen => {
            setOpen(false)
            if (chosen) {
              setPicked(chosen)
              props.onChange(chosen.map(room => String(room.id)))
            }
            props.onBlur()
          }}
        />
      )}
    </div>
  )
}

const listedFaults = 5

/** Which of the numbers are none. */
function NumberFaults({ numbers }: { readonly numbers: readonly string[] }) {
  const wrong = numbers.filter(number => !isMobile(number))
  if (!wrong.length) return null
  return (
    <small role="alert">
      {wrong.length} 个不是手机号，请改正或删除：{wrong.slice(0, listedFaults).join('、')}
      {wrong.length > listedFaults && '等'}
    </small>
  )
}

/** Numbers as they are typed, or pasted as a column of a sheet. */
function NumbersMember(props: MemberProps) {
  const numbers = textsOf(props.value)
  const [text, setText] = useState(numbers.join('\n'))
  return (
    <>
      <TextArea
        id={props.id}
        aria-label={props.field.label}
        autoSize={{ minRows: 4, maxRows: 12 }}
        placeholder={`每行一个手机号，可从 Excel 粘贴一列，最多 ${formatCount(maxNumbers)} 个；更多的请上传文件`}
        value={text}
        disabled={props.disabled}
        onBlur={props.onBlur}
        onChange={event => {
          setText(event.target.value)
          props.onChange(parseNumbers(event.target.value))
        }}
      />
      <NumberFaults numbers={numbers} />
    </>
  )
}

const ownControls: Partial<Record<MemberKey, typeof PlainMember>> = {
  buildingCodes: BuildingsMember,
  units: UnitsMember,
  roomIds: RoomsMember,
  mobiles: NumbersMember,
  numberFileId: NumberFileMember,
}

export function Member(props: MemberProps) {
  const Control = ownControls[props.memberKey] ?? PlainMember
  return <Control {...props} />
}
