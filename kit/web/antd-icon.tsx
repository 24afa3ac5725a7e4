import Drawn, { type IconComponentProps } from '@ant-design/icons/es/components/AntdIconLight'

/**
 * A drawing of the component library, in its own buttons as in ours: the words beside it, or the button's own
 * name, say what it is. Left alone it calls itself `download`, and the button is read out as 「download 导出」.
 * One that is given a name keeps it.
 */
export default function AntdIcon(props: IconComponentProps) {
  return (
    <Drawn
      {...props}
      {...(props['aria-label'] ? {} : { role: undefined, 'aria-label': undefined, 'aria-hidden': true })}
    />
  )
}
