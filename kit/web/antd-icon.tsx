import Drawn, { type IconComponentProps } from '@ant-design/icons/es/components/AntdIconLight'

/**
 * An icon of the component library: the label beside it, or the button's own name, says what it is. By
 * default it announces itself as `download`, and the button is read out as 「download 导出」. One that is given a
 * name keeps it.
 */
export default function AntdIcon(props: IconComponentProps) {
  return (
    <Drawn
      {...props}
      {...(props['aria-label'] ? {} : { role: undefined, 'aria-label': undefined, 'aria-hidden': true })}
    />
  )
}
