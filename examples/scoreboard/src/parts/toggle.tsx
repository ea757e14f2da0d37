import { useId } from 'react'
import './toggle.css'

interface ToggleProps<Choice extends string> {
  readonly label: string
  readonly options: readonly (readonly [Choice, string])[]
  readonly chosen: Choice
  readonly onChoose: (choice: Choice) => void
}

/** A choice of one among a few, as a row of radio buttons: arrow keys move within it. */
export function Toggle<Choice extends string>({ label, options, chosen, onChoose }: ToggleProps<Choice>) {
  const name = useId()
  return (
    <fieldset className="toggle">
      <legend className="hidden">{label}</legend>
      {options.map(([choice, text]) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === chosen} onChange={() => onChoose(choice)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
