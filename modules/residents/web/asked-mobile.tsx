import { useNavigate, useSearchParams } from 'react-router'
import { useProject } from '#modules/estates/web/public.tsx'
import { mobilePath } from './paths.ts'
import { ResidentPicker } from './person-pickers.tsx'

/** 变更手机号 begun by the address (`?do=mobile`): the person is chosen first. */
export function AskedMobile() {
  const [, setParams] = useSearchParams()
  const navigate = useNavigate()
  const project = useProject()
  return (
    <ResidentPicker
      title="选择变更手机号的住户"
      projectCode={project}
      value={[]}
      onDone={chosen => {
        const person = chosen?.[0]
        if (person) {
          void navigate(mobilePath(person.id), { replace: true })
        } else {
          setParams({}, { replace: true })
        }
      }}
    />
  )
}
