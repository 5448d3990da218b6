// Shows terms.html, privacy.html and 404.html in the visitor's language.
import { legalWords } from './legalWords.js'
import { chosenLanguage, showWords, wordsOf } from './words.js'

const language = chosenLanguage()
showWords(language, { ...wordsOf(language), ...legalWords(language) })
document.title = `${document.querySelector('h1').textContent}: Fjord Cars`
