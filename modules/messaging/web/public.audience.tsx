import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { AudiencePreviewProps } from './audience-preview.tsx'

/** What other modules' screens may use to choose whom a message goes to. */
export {
  AudienceControl,
  AudienceControl as AudienceFields,
  audienceFormFields,
} from './audience-control.tsx'

export { VariablesHelp } from './variables-help.tsx'

export const AudiencePreview = lazyComponent<AudiencePreviewProps>(
  async () => (await import('./audience-preview.tsx')).AudiencePreview,
)
