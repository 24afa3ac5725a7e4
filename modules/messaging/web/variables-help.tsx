import type { Audience } from '../contract/audience.ts'
import { variablesText } from '../domain/template.ts'
import { useVariables } from './use-variables.ts'

export interface VariablesHelpProps {
  readonly audience: Partial<Audience>
}

/** Under a text: the variables that its receivers fill in. */
export const VariablesHelp = ({ audience }: VariablesHelpProps) => (
  <>可用变量：{variablesText(useVariables(audience))}</>
)
