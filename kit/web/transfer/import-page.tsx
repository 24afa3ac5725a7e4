import { useSession } from '../session.ts'
import { useImportParts, type ImportProps } from './import-parts.tsx'
import '../form/form.css'

/** The import as a page of its own. */
export function ImportPage(props: ImportProps) {
  const { body, buttons } = useImportParts(props)
  const project = useSession(s => s.project)
  return (
    <div className="export-page">
      <header>
        <h2>{props.spec.post.title}</h2>
        {project && project.code !== '0' && <small>{project.name}</small>}
      </header>
      <div className="scroll">{body}</div>
      <footer>{buttons}</footer>
    </div>
  )
}
