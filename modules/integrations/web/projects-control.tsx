import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'

/** Projects by name, several of them. */
const ProjectsControl: Control = ({ field, id, value, onChange, onBlur, disabled, describedBy }) => (
  <RefSelect
    multiple
    field={field}
    id={id}
    value={value}
    onChange={onChange}
    onBlur={onBlur}
    disabled={disabled}
    describedBy={describedBy}
  />
)

/** All projects, or some: the fields that keys and endpoints share. */
export const projectFields = [
  { key: 'allProject' },
  {
    key: 'projectCodes',
    control: ProjectsControl,
    isHidden: (values: { readonly allProject?: boolean }) => values.allProject === true,
  },
]

export const projectsText = ({
  allProject,
  projectCodes,
}: {
  readonly allProject: boolean
  readonly projectCodes?: readonly string[]
}): string => (allProject ? '全部项目（含以后新增的）' : `${projectCodes?.length ?? 0} 个项目`)
