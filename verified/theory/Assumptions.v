(* The axioms that each theorem rests on. Nothing is imported here, so that Coq names their modules. *)

From Verified Require Check Image Statement Tables Sets Texts Fours QuantumBook.

Module By_numbers := Texts.Texts Sets.Numbers.
Module By_word := Texts.Texts Sets.Word.
Module By_words := Texts.Texts Sets.Words.

Print Assumptions Check.check_sound.
Print Assumptions Image.gets_in_image.
Print Assumptions Statement.proves_sound.
Print Assumptions Tables.table_says.
Print Assumptions Sets.Words_laws.all_cells.
Print Assumptions By_numbers.run_text_sound.
Print Assumptions By_numbers.run_table_sound.
Print Assumptions By_word.run_text_sound.
Print Assumptions By_words.run_text_sound.
Print Assumptions By_words.run_table_sound.
Print Assumptions Fours.run_words_sound.
Print Assumptions Fours.run_ints_sound.
Print Assumptions QuantumBook.run_quantum_sound.
