import { PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { PopoverPanel } from '../dropdown.tsx'

interface SaveViewProps {
  readonly label: string
  readonly onSave: (name: string) => void
}

/** Keeps the conditions of a list as a view with a name. */
export function SaveView({ label, onSave }: SaveViewProps) {
  const [name, setName] = useState('')
  const [naming, setNaming] = useState(false)
  const save = (): void => {
    const trimmed = name.trim()
    if (!trimmed) return
    onSave(trimmed)
    setName('')
    setNaming(false)
  }
  return (
    <PopoverPanel
      open={naming}
      onOpenChange={setNaming}
      placement="bottomLeft"
      content={
        <div className="view-name" role="presentation" onKeyDown={e => e.stopPropagation()}>
          <Input
            autoFocus
            aria-label="视图名称"
            placeholder="视图名称"
            maxLength={12}
            value={name}
            onChange={e => setName(e.target.value)}
            onPressEnter={save}
          />
          <Button type="primary" disabled={!name.trim()} onClick={save}>
            存为视图
          </Button>
        </div>
      }
    >
      <button type="button" className="quiet">
        <PlusOutlined /> {label}
      </button>
    </PopoverPanel>
  )
}
