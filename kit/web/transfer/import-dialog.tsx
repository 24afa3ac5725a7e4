import { Drawer } from 'antd'
import { useImportParts, type ImportProps } from './import-parts.tsx'
import '../form/form.css'

/** An import over its list. */
export function ImportDialog(props: ImportProps) {
  const { state, body, buttons } = useImportParts(props)
  return (
    <Drawer
      open
      title={props.spec.post.title}
      size={innerWidth < 1100 ? '100%' : 880}
      onClose={props.onClose}
      footer={buttons}
      mask={{ closable: false }}
      keyboard={state.progress === undefined}
    >
      {body}
    </Drawer>
  )
}
