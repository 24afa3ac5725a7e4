import { Button, Input } from 'antd'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { addPark, generateParkCode, type Park } from '../contract/park.ts'
import './parking.css'

/** A code that nobody has can be asked for; left empty the server makes one. */
function ParkCodeControl(p: ControlProps) {
  return (
    <div className="with-fresh">
      <Input
        id={p.id}
        value={(p.value as string | undefined) ?? ''}
        disabled={p.disabled}
        autoComplete="off"
        {...(p.invalid ? { status: 'error' as const } : {})}
        onChange={e => p.onChange(e.target.value.trim() || undefined)}
        onBlur={p.onBlur}
      />
      <Button
        onClick={() =>
          void send(generateParkCode, undefined).then(
            code => p.onChange(code),
            () => undefined,
          )
        }
      >
        生成
      </Button>
    </div>
  )
}

const groups: readonly FormFieldGroup[] = [
  {
    title: '基本信息',
    keys: ['name', { key: 'code', control: ParkCodeControl, wide: false }, 'parkType', 'state'],
  },
  { title: '车位', keys: ['totalPlace', 'reservedPlace', 'tempPlace', 'fullPolicy'] },
  { title: '位置与其他', keys: ['longitude', 'latitude', 'remark'] },
]

export default function AddParkPage() {
  const add = useSend(addPark, { quiet: true })
  const tab = useTab()
  return (
    <FormPage
      shape={addPark.input}
      title="新增停车场"
      groups={groups}
      draftKey="park/new"
      submitLabel="新增停车场"
      save={v => add.mutateAsync(v)}
      onDone={a => {
        toast.success(`已新增停车场「${(a as Park).name}」，接下来可以新增或导入车位`)
        tab.close()
      }}
    />
  )
}
